import { createAppError, type CreateServiceError } from '@nolo/kit/errors';
import { createLimitDetails, limits } from '@nolo/rules';

/** Error codes of this service. */
export type TranscriberErrorCode =
  | 'invalid_request'
  | 'cancelled'
  | 'transcription_off'
  | 'transcription_limit'
  | 'transcription_busy'
  | 'transcription_failed'
  | 'audio_not_recognised'
  | 'audio_too_long'
  | 'audio_too_large';

export const createTranscriberError: CreateServiceError<TranscriberErrorCode> = createAppError;

export const transcriptionOff = () =>
  createTranscriberError('forbidden', 'transcription_off', 'Turn on voice note transcription in your profile first.');

/** Builds the error with the limit and the plan that raises it (decision 27). */
export const transcriptionLimitReached = (limitSeconds: number, usedSeconds: number) =>
  createTranscriberError(
    'plan_limited',
    'transcription_limit',
    `You have used up this month’s ${Math.floor(limitSeconds / 60)} minutes of transcription.`,
    { ...createLimitDetails('transcriptionSeconds', limitSeconds, usedSeconds) },
  );

/** Builds the error for a caller that has disconnected, so nobody reads it. */
export const createCancelledError = () =>
  createTranscriberError('unavailable', 'cancelled', 'The caller cancelled the request.');

export const transcriptionBusy = () =>
  createTranscriberError(
    'unavailable',
    'transcription_busy',
    'Too many voice notes are being transcribed right now. Try again.',
    undefined,
    { retryAfterMs: 5_000 },
  );

/** @param reason for the log; never contains what was said */
export const transcriptionFailed = (reason: string, cause?: unknown) =>
  createTranscriberError(
    'unavailable',
    'transcription_failed',
    'This voice note could not be transcribed.',
    undefined,
    {
      reason,
      cause,
      retryAfterMs: 5_000,
    },
  );

export const audioNotRecognised = (cause?: unknown) =>
  createTranscriberError('invalid', 'audio_not_recognised', 'This is not audio that can be transcribed.', undefined, {
    cause,
  });

export const audioTooLong = (maxSeconds: number = limits.transcriptionAudioSeconds) =>
  createTranscriberError(
    'too_large',
    'audio_too_long',
    `Only voice notes of up to ${Math.floor(maxSeconds / 60)} minutes can be transcribed.`,
    { maxSeconds },
  );

export const audioTooLarge = () =>
  createTranscriberError('too_large', 'audio_too_large', 'This voice note is too large.', {
    maxBytes: limits.transcriptionAudioBytes,
  });
