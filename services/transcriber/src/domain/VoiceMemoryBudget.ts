import type { UserId } from '@nolo/kit/ids';
import { limits } from '@nolo/rules';
import { transcriptionBusy } from '../errors.ts';

/** Maximum memory for voice notes per process: eight of the largest, or many typical ones. */
const maxBytes = 8 * limits.transcriptionAudioBytes;
/** Bytes up to which a person may use the reserved part of the memory: ten minutes in browsers' format. */
const lightBytes = 4 * 2 ** 20;
const maxBytesOfOthers = maxBytes - 2 * limits.transcriptionAudioBytes;

/**
 * Limits the memory of voice notes that are arriving or waiting. It counts bytes instead of voice notes, so slow
 * senders do not block others, and it reserves memory for people with short voice notes.
 */
export class VoiceMemoryBudget {
  readonly #held = new Map<UserId, number>();
  #sum = 0;

  /** @throws AppError transcription_busy */
  take(userId: UserId, bytes: number): void {
    const own = (this.#held.get(userId) ?? 0) + bytes;
    if (this.#sum + bytes > (own > lightBytes ? maxBytesOfOthers : maxBytes)) throw transcriptionBusy();
    this.#sum += bytes;
    this.#held.set(userId, own);
  }

  giveBack(userId: UserId, bytes: number): void {
    this.#sum -= bytes;
    const own = (this.#held.get(userId) ?? 0) - bytes;
    if (own > 0) this.#held.set(userId, own);
    else this.#held.delete(userId);
  }
}
