import type { UserId } from '@nolo/kit/ids';

/** Containers that are listened to: what browsers and phones record, and what every engine of the trade takes. */
export const audioFormats = ['webm', 'ogg', 'mp4', 'mp3', 'wav', 'flac'] as const;
export type AudioFormat = (typeof audioFormats)[number];

/** A voice note, recognised by its bytes. */
export interface Recording {
  readonly bytes: Uint8Array;
  readonly format: AudioFormat;
  /** As the container tells. */
  readonly seconds: number;
}

/** What an engine made of a voice note. */
export interface Heard {
  readonly text: string;
  /** As long as the sound was where the engine measured it, which holds against what the container told. */
  readonly seconds?: number | undefined;
}

export interface Engine {
  /**
   * People share the time by the seconds of their voice notes.
   *
   * @throws AppError transcription_failed, transcription_busy, audio_not_recognised, audio_too_long, audio_too_large;
   *   the signal's reason once that is aborted
   */
  transcribe(userId: UserId, recording: Recording, signal: AbortSignal): Promise<Heard>;
  /** Voice notes that wait for their turn. */
  readonly waiting: number;
  /** Ends what is under way, and leaves no process and no file. Idempotent. */
  stop(): Promise<void>;
}

export interface AudioExaminer {
  /** @throws AppError audio_not_recognised; transcription_failed, transcription_busy where its length is not found in time */
  examine(userId: UserId, bytes: Uint8Array): Promise<Recording>;
}

/** Whether a person wants voice notes of theirs transcribed. */
export interface Consents {
  given(userId: UserId): Promise<boolean>;
}

/** A month of the calendar where the person is: "2026-11". */
export type Month = string;

/** Seconds that are set aside while the work goes on; after `expiresAt` they are free again by themselves. */
export interface Claim {
  readonly id: string;
  readonly userId: UserId;
  readonly month: Month;
  readonly seconds: number;
  readonly expiresAt: Date;
}

export type ClaimResult =
  | { readonly kind: 'claimed' }
  /** The seconds that are used or claimed leave too little room. */
  | { readonly kind: 'used_up'; readonly usedSeconds: number }
  /** Too many voice notes of that person are worked on already. */
  | { readonly kind: 'too_many' };

/** What somebody may have transcribed in the month that goes on where they are. */
export interface Allowed {
  /** Infinity without a limit. */
  readonly seconds: number;
  readonly month: Month;
}

/** Whoever sells minutes counts along; `unknown` where they cannot be asked, and then what is counted here decides. */
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
    claim: Claim,
    bounds: { readonly limitSeconds: number; readonly mostAtOnce: number },
    now: Date,
  ): Promise<ClaimResult>;
  /** The claim becomes usage. One that is gone, as with its person, counts nothing. */
  settle(claimId: string, seconds: number): Promise<void>;
  /** Takes a claim back. */
  release(claimId: string): Promise<void>;
  /** Seconds used in a month, without what is only claimed. */
  used(userId: UserId, month: Month): Promise<number>;
  /** Everything that is kept of a person goes. */
  forget(userId: UserId): Promise<void>;
  /** Deletes claims that expired, and usage of months before `before`. Answers how many rows went. */
  sweep(now: Date, before: Month): Promise<number>;
}
