import type { Clock } from '@nolo/kit/clock';
import { newId, type UserId } from '@nolo/kit/ids';
import {
  audioTooLong,
  createCancelledError,
  transcriptionBusy,
  transcriptionFailed,
  transcriptionLimitReached,
} from '../errors.ts';
import type {
  TranscriptionAllowance,
  TranscriptionEngine,
  TranscriptionResult,
  VoiceRecording,
  SecondsMeter,
  UsageStore,
} from './ports.ts';
import { roundToCountedSeconds, maxConcurrentPerUser, maxAudioSeconds } from './usage.ts';
import { normalizeTranscript } from './words.ts';

/** Extra lifetime of a reservation, so that it outlasts its work. */
const claimMarginMs = 60_000;

export interface TranscribeOptions {
  usage: UsageStore;
  engine: TranscriptionEngine;
  meter: SecondsMeter;
  allowedOf: (userId: UserId) => Promise<TranscriptionAllowance>;
  clock: Clock;
  /** Time limit in milliseconds for one voice note, including waiting. */
  workMs: number;
  /** Called when usage could not be stored. */
  onUncounted: (error: unknown) => void;
}

/** @throws AppError transcription_limit if the month's allowance is used up, before accepting a voice note */
export async function requireMinutesLeft(
  { usage, allowedOf }: Pick<TranscribeOptions, 'usage' | 'allowedOf'>,
  userId: UserId,
): Promise<void> {
  const { seconds, month } = await allowedOf(userId);
  const used = await usage.used(userId, month);
  if (used >= seconds) throw transcriptionLimitReached(seconds, used);
}

/**
 * Reserves the seconds, transcribes, and counts them on success. Failures are not counted, and reservations left by a
 * crash expire.
 */
export async function transcribe(
  options: TranscribeOptions,
  userId: UserId,
  recording: VoiceRecording,
  signal: AbortSignal,
): Promise<{ text: string; seconds: number }> {
  if (recording.seconds > maxAudioSeconds) throw audioTooLong();
  const { usage, onUncounted } = options;
  const claimId = await claimSeconds(options, userId, recording);
  let transcription: TranscriptionResult;
  try {
    transcription = await work(options, userId, recording, signal);
  } catch (error) {
    await usage.release(claimId).catch(onUncounted);
    throw error;
  }
  const seconds = roundToCountedSeconds(Math.max(recording.seconds, transcription.seconds ?? 0));
  // The text exists, so discarding it would help nobody.
  await usage.settle(claimId, seconds).catch(onUncounted);
  return { text: normalizeTranscript(transcription.text), seconds };
}

async function claimSeconds(
  { usage, meter, allowedOf, clock, workMs, onUncounted }: TranscribeOptions,
  userId: UserId,
  { seconds }: VoiceRecording,
): Promise<string> {
  const now = clock.now();
  const allowed = await allowedOf(userId);
  const claim = {
    id: newId(),
    userId,
    month: allowed.month,
    seconds: roundToCountedSeconds(seconds),
    expiresAt: new Date(now.getTime() + workMs + claimMarginMs),
  };
  const bounds = { limitSeconds: allowed.seconds, maxConcurrent: maxConcurrentPerUser };
  const result = await usage.claim(claim, bounds, now);
  if (result.kind === 'used_up') throw transcriptionLimitReached(allowed.seconds, result.usedSeconds);
  if (result.kind === 'too_many') throw transcriptionBusy();
  const reserved = await meter.reserve({ id: claim.id, userId, seconds: claim.seconds, at: now });
  if (reserved.kind === 'full') {
    await usage.release(claim.id).catch(onUncounted);
    throw transcriptionLimitReached(reserved.limit, reserved.used);
  }
  return claim.id;
}

async function work(
  { engine, workMs }: TranscribeOptions,
  userId: UserId,
  recording: VoiceRecording,
  signal: AbortSignal,
): Promise<TranscriptionResult> {
  const late = AbortSignal.timeout(workMs);
  try {
    return await engine.transcribe(userId, recording, AbortSignal.any([signal, late]));
  } catch (error) {
    if (signal.aborted) throw createCancelledError();
    if (late.aborted) throw transcriptionFailed(`no words within ${workMs} ms`);
    throw error;
  }
}
