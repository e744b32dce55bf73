import type { Clock } from '@nolo/kit/clock';
import { LoudestVoices, type VoiceLevel } from '../domain/LoudestVoices.ts';

export interface ActiveSpeaker {
  /** Producer ID. */
  id: string;
  volume: number;
}

export interface VoicesListener {
  /** Called when a voice becomes forwarded or held back. */
  audible(producerId: string, audible: boolean): void;
  /** Called with the audible voices, loudest first. */
  speakers(speakers: readonly ActiveSpeaker[]): void;
}

/** Rooms up to this size forward all voices. */
const smallRoom = 4;
const minGapMs = 400;
/** Change in loudness that justifies a frame to everyone. */
const notableDb = 6;

/** Voices of a room: takes measurements from its shards and reports who is forwarded and who speaks. */
export class RoomVoices {
  readonly #clock: Clock;
  readonly #listener: VoicesListener;
  readonly #loudest = new LoudestVoices();
  /** Latest measurement of each shard. */
  readonly #measured = new Map<unknown, readonly VoiceLevel[]>();
  #forwarded: ReadonlySet<string> = new Set();
  #people = 0;
  #lastSent: readonly ActiveSpeaker[] = [];
  #lastSentAt = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(clock: Clock, listener: VoicesListener) {
    this.#clock = clock;
    this.#listener = listener;
  }

  isForwarded(producerId: string): boolean {
    return this.#forwarded.has(producerId);
  }

  /** Sets the number of people in the room on all nodes. */
  setPeople(people: number): void {
    this.#people = people;
    this.#choose();
  }

  /** Adds a microphone that is on. */
  add(producerId: string): void {
    this.#loudest.add(producerId, this.#now());
    this.#choose();
  }

  /** Removes a microphone that was muted or is gone. */
  remove(producerId: string): void {
    this.#loudest.remove(producerId);
    this.#choose();
    this.#sendSpeakers();
  }

  updateLevels(shard: unknown, levels: readonly VoiceLevel[]): void {
    this.#measured.set(shard, levels);
    this.#loudest.updateLevels([...this.#measured.values()].flat(), this.#now());
    this.#choose();
    this.#sendSpeakers();
  }

  forget(shard: unknown): void {
    this.#measured.delete(shard);
  }

  setDominant(producerId: string): void {
    this.#loudest.setDominant(producerId);
    this.#choose();
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  #now(): number {
    return this.#clock.now().getTime();
  }

  #choose(): void {
    const before = this.#forwarded;
    this.#forwarded = this.#loudest.choose(this.#people <= smallRoom, this.#now());
    for (const id of this.#forwarded.difference(before)) this.#listener.audible(id, true);
    for (const id of before.difference(this.#forwarded)) this.#listener.audible(id, false);
  }

  /**
   * Reports speakers at a limited rate. A delayed change is sent when the interval ends, so the last report is correct.
   */
  #sendSpeakers(): void {
    if (this.#timer) return;
    const speakers = this.#loudest.speakers();
    if (!differs(speakers, this.#lastSent)) return;
    const wait = this.#lastSentAt + minGapMs - this.#now();
    if (wait > 0) {
      this.#timer = setTimeout(() => {
        this.#timer = undefined;
        this.#lastSentAt = 0;
        this.#sendSpeakers();
      }, wait);
      return;
    }
    this.#lastSent = speakers;
    this.#lastSentAt = this.#now();
    this.#listener.speakers(speakers);
  }
}

function differs(speakers: readonly ActiveSpeaker[], lastSent: readonly ActiveSpeaker[]): boolean {
  return (
    speakers.length !== lastSent.length ||
    speakers.some(({ id, volume }, place) => {
      const before = lastSent[place];
      return before?.id !== id || Math.abs(before.volume - volume) >= notableDb;
    })
  );
}
