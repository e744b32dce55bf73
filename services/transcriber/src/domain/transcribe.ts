import type { Clock } from '@nolo/kit/clock';
import { newId, type UserId } from '@nolo/kit/ids';
import { transcriptionMinutes, type PlanId } from '@nolo/rules';
import { audioTooLong, nobodyWaits, transcriptionBusy, transcriptionFailed, transcriptionLimit } from '../errors.ts';
import type { Engine, Heard, Recording, UsageStore } from './ports.ts';
import { countedSeconds, monthOf, mostAtOncePerUser, mostSeconds } from './usage.ts';
import { tidyWords } from './words.ts';

/** How much longer than the work a claim lives, so that none ends before its work does. */
const claimMarginMs = 60_000;

export interface TranscribeOptions {
  usage: UsageStore;
  engine: Engine;
  planOf: (userId: UserId) => Promise<PlanId>;
  clock: Clock;
  /** Milliseconds that the work on one voice note may take, waiting for a turn included. */
  workMs: number;
  /** Told of what the count of seconds could not be brought to. */
  onUncounted: (error: unknown) => void;
}

/** @throws AppError transcription_limit where nothing is left of the month, before a voice note is even taken */
export async function checkMinutes(
  { usage, planOf, clock }: Pick<TranscribeOptions, 'usage' | 'planOf' | 'clock'>,
  userId: UserId,
): Promise<void> {
  const plan = await planOf(userId);
  const used = await usage.used(userId, monthOf(clock.now()));
  if (used >= transcriptionMinutes[plan] * 60) throw transcriptionLimit(plan, used);
}

/**
 * Sets the seconds aside, has them transcribed, and counts them once there are words. What fails is not counted, and what
 * a crash leaves set aside is free again after a while.
 */
export async function transcribe(
  options: TranscribeOptions,
  userId: UserId,
  recording: Recording,
  signal: AbortSignal,
): Promise<{ text: string; seconds: number }> {
  if (recording.seconds > mostSeconds) throw audioTooLong();
  const { usage, workMs, onUncounted } = options;
  const claimId = await claimSeconds(options, userId, recording);
  let heard: Heard;
  try {
    heard = await work(options.engine, recording, signal, workMs);
  } catch (error) {
    await usage.release(claimId).catch(onUncounted);
    throw error;
  }
  const seconds = countedSeconds(Math.max(recording.seconds, heard.seconds ?? 0));
  // The words are there, and nobody gains by their being thrown away.
  await usage.settle(claimId, seconds).catch(onUncounted);
  return { text: tidyWords(heard.text), seconds };
}

async function claimSeconds(
  { usage, planOf, clock, workMs }: TranscribeOptions,
  userId: UserId,
  { seconds }: Recording,
): Promise<string> {
  const now = clock.now();
  const plan = await planOf(userId);
  const claim = {
    id: newId(),
    userId,
    month: monthOf(now),
    seconds: countedSeconds(seconds),
    expiresAt: new Date(now.getTime() + workMs + claimMarginMs),
  };
  const bounds = { limitSeconds: transcriptionMinutes[plan] * 60, mostAtOnce: mostAtOncePerUser };
  const result = await usage.claim(claim, bounds, now);
  if (result.kind === 'used_up') throw transcriptionLimit(plan, result.usedSeconds);
  if (result.kind === 'too_many') throw transcriptionBusy();
  return claim.id;
}

async function work(engine: Engine, recording: Recording, signal: AbortSignal, workMs: number): Promise<Heard> {
  const late = AbortSignal.timeout(workMs);
  try {
    return await engine.transcribe(recording, AbortSignal.any([signal, late]));
  } catch (error) {
    if (signal.aborted) throw nobodyWaits();
    if (late.aborted) throw transcriptionFailed(`no words within ${workMs} ms`);
    throw error;
  }
}
