import type { Clock } from '@nolo/kit/clock';
import { newId, type UserId } from '@nolo/kit/ids';
import { audioTooLong, nobodyWaits, transcriptionBusy, transcriptionFailed, transcriptionLimit } from '../errors.ts';
import type { Allowed, Engine, Heard, Recording, SecondsMeter, UsageStore } from './ports.ts';
import { countedSeconds, mostAtOncePerUser, mostSeconds } from './usage.ts';
import { tidyWords } from './words.ts';

/** Extra lifetime of a reservation, so that it outlasts its work. */
const claimMarginMs = 60_000;

export interface TranscribeOptions {
  usage: UsageStore;
  engine: Engine;
  meter: SecondsMeter;
  allowedOf: (userId: UserId) => Promise<Allowed>;
  clock: Clock;
  /** Time limit in milliseconds for one voice note, including waiting. */
  workMs: number;
  /** Called when usage could not be stored. */
  onUncounted: (error: unknown) => void;
}

/** @throws AppError transcription_limit if the month's allowance is used up, before accepting a voice note */
export async function checkMinutes(
  { usage, allowedOf }: Pick<TranscribeOptions, 'usage' | 'allowedOf'>,
  userId: UserId,
): Promise<void> {
  const { seconds, month } = await allowedOf(userId);
  const used = await usage.used(userId, month);
  if (used >= seconds) throw transcriptionLimit(seconds, used);
}

/**
 * Reserves the seconds, transcribes, and counts them on success. Failures are not counted, and reservations left by a
 * crash expire.
 */
export async function transcribe(
  options: TranscribeOptions,
  userId: UserId,
  recording: Recording,
  signal: AbortSignal,
): Promise<{ text: string; seconds: number }> {
  if (recording.seconds > mostSeconds) throw audioTooLong();
  const { usage, onUncounted } = options;
  const claimId = await claimSeconds(options, userId, recording);
  let heard: Heard;
  try {
    heard = await work(options, userId, recording, signal);
  } catch (error) {
    await usage.release(claimId).catch(onUncounted);
    throw error;
  }
  const seconds = countedSeconds(Math.max(recording.seconds, heard.seconds ?? 0));
  // The text exists, so discarding it would help nobody.
  await usage.settle(claimId, seconds).catch(onUncounted);
  return { text: tidyWords(heard.text), seconds };
}

async function claimSeconds(
  { usage, meter, allowedOf, clock, workMs, onUncounted }: TranscribeOptions,
  userId: UserId,
  { seconds }: Recording,
): Promise<string> {
  const now = clock.now();
  const allowed = await allowedOf(userId);
  const claim = {
    id: newId(),
    userId,
    month: allowed.month,
    seconds: countedSeconds(seconds),
    expiresAt: new Date(now.getTime() + workMs + claimMarginMs),
  };
  const bounds = { limitSeconds: allowed.seconds, mostAtOnce: mostAtOncePerUser };
  const result = await usage.claim(claim, bounds, now);
  if (result.kind === 'used_up') throw transcriptionLimit(allowed.seconds, result.usedSeconds);
  if (result.kind === 'too_many') throw transcriptionBusy();
  const reserved = await meter.reserve({ id: claim.id, userId, seconds: claim.seconds, at: now });
  if (reserved.kind === 'full') {
    await usage.release(claim.id).catch(onUncounted);
    throw transcriptionLimit(reserved.limit, reserved.used);
  }
  return claim.id;
}

async function work(
  { engine, workMs }: TranscribeOptions,
  userId: UserId,
  recording: Recording,
  signal: AbortSignal,
): Promise<Heard> {
  const late = AbortSignal.timeout(workMs);
  try {
    return await engine.transcribe(userId, recording, AbortSignal.any([signal, late]));
  } catch (error) {
    if (signal.aborted) throw nobodyWaits();
    if (late.aborted) throw transcriptionFailed(`no words within ${workMs} ms`);
    throw error;
  }
}
