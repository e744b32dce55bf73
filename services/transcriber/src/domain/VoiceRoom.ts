import type { UserId } from '@nolo/kit/ids';
import { limits } from '@nolo/rules';
import { transcriptionBusy } from '../errors.ts';

/** What voice notes take of the memory of one process: as much as eight of the largest, or many usual ones. */
const maxBytes = 8 * limits.transcriptionAudioBytes;
/** A person who holds no more may also have the last of the room: ten minutes in the format of browsers. */
const lightBytes = 4 * 2 ** 20;
const maxBytesOfOthers = maxBytes - 2 * limits.transcriptionAudioBytes;

/**
 * The memory that voice notes take while they arrive and wait. It counts bytes and not voice notes, so that people who send
 * slowly keep nobody else away, and leaves room for people with little where others have filled the rest.
 */
export class VoiceRoom {
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
