import { FairQueue } from '@nolo/kit/fairQueue';
import { transcriptionBusy } from '../errors.ts';

/**
 * Seconds up to which a voice note counts as light. Longer ones use all slots but one, so that a short one need not
 * wait for several.
 */
const lightSeconds = 120;

/** Limits concurrent voice notes and shares capacity between people by seconds. An equal number may wait. */
export const createVoiceQueue = (concurrency: number): FairQueue =>
  new FairQueue({
    atOnce: concurrency,
    lightCost: lightSeconds,
    heavyAtOnce: Math.max(1, concurrency - 1),
    maxWaiting: concurrency,
    busy: transcriptionBusy,
  });
