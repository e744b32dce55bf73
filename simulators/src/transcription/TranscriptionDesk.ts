import type { namedErrors } from './transcriptionErrors.ts';

/** Answer to one request. */
export interface Answer {
  readonly text?: string | undefined;
  /** Duration of the sound according to the server, in seconds. */
  readonly seconds?: number | undefined;
  readonly error?: keyof typeof namedErrors | 'not_json' | undefined;
  readonly retryAfterSeconds?: number | undefined;
  /** Delay before the answer, in milliseconds. */
  readonly delayMs?: number | undefined;
  /** Drops the connection instead. */
  readonly cut?: boolean | undefined;
}

/** Received request, without the sound. */
export interface Asked {
  readonly model: string;
  readonly responseFormat: string;
  readonly language: string | null;
  readonly fileName: string;
  readonly contentType: string;
  readonly bytes: number;
}

const mostKept = 1_000;

/** Stores the answers that tests prepare, and the requests received. */
export class TranscriptionDesk {
  #answers: Answer[] = [];
  readonly #asked: Asked[] = [];

  /** Replaces the pending answers. */
  prepare(answers: readonly Answer[]): void {
    this.#answers = [...answers];
  }

  next(): Answer {
    return this.#answers.shift() ?? {};
  }

  note(asked: Asked): void {
    this.#asked.push(asked);
    if (this.#asked.length > mostKept) this.#asked.shift();
  }

  get asked(): readonly Asked[] {
    return this.#asked;
  }
}
