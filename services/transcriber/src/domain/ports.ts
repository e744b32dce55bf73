import type { UserId } from '@nolo/kit/ids';

/** Supported containers: what browsers and phones record, and what every common engine accepts. */
export const audioFormats = ['webm', 'ogg', 'mp4', 'mp3', 'wav', 'flac'] as const;
export type AudioFormat = (typeof audioFormats)[number];

/** Voice note whose format was detected from its bytes. */
export interface VoiceRecording {
  readonly bytes: Uint8Array;
  readonly format: AudioFormat;
  /** Duration according to the container. */
  readonly seconds: number;
}

/** Engine's transcript of a voice note. */
export interface TranscriptionResult {
  readonly text: string;
  /** Duration as measured by the engine, if it does, which overrides the container's. */
  readonly seconds?: number | undefined;
}

export interface TranscriptionEngine {
  /**
   * Transcribes a voice note. Capacity is shared between people by the seconds of their voice notes.
   *
   * @throws AppError transcription_failed, transcription_busy, audio_not_recognised, audio_too_long, audio_too_large;
   *   the signal's reason when it is aborted
   */
  transcribe(userId: UserId, recording: VoiceRecording, signal: AbortSignal): Promise<TranscriptionResult>;
  /** Number of waiting voice notes. */
  readonly waiting: number;
  /** Ends all work and leaves no process and no file behind. Idempotent. */
  stop(): Promise<void>;
}

export interface AudioExaminer {
  /**
   * @throws AppError audio_not_recognised; transcription_failed, transcription_busy if its duration is not determined
   * in time
   */
  examine(userId: UserId, bytes: Uint8Array): Promise<VoiceRecording>;
}

/** Stores who wants their voice notes transcribed. */
export interface TranscriptionConsents {
  given(userId: UserId): Promise<boolean>;
}

/** Calendar month in the person's time zone: "2026-11". */
export type UsageMonth = string;

/** Seconds reserved during the work. The reservation ends by itself at `expiresAt`. */
export interface SecondsClaim {
  readonly id: string;
  readonly userId: UserId;
  readonly month: UsageMonth;
  readonly seconds: number;
  readonly expiresAt: Date;
}

type ClaimResult =
  | { readonly kind: 'claimed' }
  /** Used and reserved seconds leave too little. */
  | { readonly kind: 'used_up'; readonly usedSeconds: number }
  /** Maximum number of this person's voice notes is already in progress. */
  | { readonly kind: 'too_many' };

/** Transcription allowance in the person's current month. */
export interface TranscriptionAllowance {
  /** Infinity: no limit. */
  readonly seconds: number;
  readonly month: UsageMonth;
}

/** Meter of the service that sells minutes. `unknown`: it is unreachable, so the local count decides. */
export interface SecondsMeter {
  reserve(use: {
    id: string;
    userId: UserId;
    seconds: number;
    at: Date;
  }): Promise<
    { readonly kind: 'reserved' | 'unknown' } | { readonly kind: 'full'; readonly limit: number; readonly used: number }
  >;
}

export interface UsageStore {
  claim(
    claim: SecondsClaim,
    bounds: { readonly limitSeconds: number; readonly maxConcurrent: number },
    now: Date,
  ): Promise<ClaimResult>;
  /** Turns a reservation into usage. A missing reservation, as of a deleted person, counts nothing. */
  settle(claimId: string, seconds: number): Promise<void>;
  /** Cancels a reservation. */
  release(claimId: string): Promise<void>;
  /** Returns the seconds used in a month, excluding reservations. */
  used(userId: UserId, month: UsageMonth): Promise<number>;
  /** Deletes all data of a person. */
  forget(userId: UserId): Promise<void>;
  /** Deletes expired reservations and usage of months before `before`. Returns the number of deleted rows. */
  sweep(now: Date, before: UsageMonth): Promise<number>;
}
