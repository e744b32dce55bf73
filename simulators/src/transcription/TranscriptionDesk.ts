import type { namedErrors } from './transcriptionErrors.ts';

/** What is to be answered to one request. */
export interface Answer {
  readonly text?: string | undefined;
  /** How long the sound was, as the server found. */
  readonly seconds?: number | undefined;
  readonly error?: keyof typeof namedErrors | 'not_json' | undefined;
  readonly retryAfterSeconds?: number | undefined;
  /** Milliseconds before the answer. */
  readonly delayMs?: number | undefined;
  /** Breaks the connection off instead. */
  readonly cut?: boolean | undefined;
}

/** What was asked; of the sound nothing is kept. */
export interface Asked {
  readonly model: string;
  readonly responseFormat: string;
  readonly language: string | null;
  readonly fileName: string;
  readonly contentType: string;
  readonly bytes: number;
}

const mostKept = 1_000;

/** Where tests lay answers down, and read what was asked. */
export class TranscriptionDesk {
  #answers: Answer[] = [];
  readonly #asked: Asked[] = [];

  /** In place of whatever was to come. */
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
