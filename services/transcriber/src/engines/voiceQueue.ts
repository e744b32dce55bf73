import { FairQueue } from '@nolo/kit/fairQueue';
import { transcriptionBusy } from '../errors.ts';

/** In seconds: longer voice notes have all places but one, so that a short one need not wait for several. */
const lightSeconds = 120;

/** Lets so many voice notes in at a time, and shares the time between people by their seconds; as many again may wait. */
export const createVoiceQueue = (concurrency: number): FairQueue =>
  new FairQueue({
    atOnce: concurrency,
    lightCost: lightSeconds,
    heavyAtOnce: Math.max(1, concurrency - 1),
    maxWaiting: concurrency,
    busy: transcriptionBusy,
  });
