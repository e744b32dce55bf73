import type { namedErrors } from './transcriptionErrors.ts';

/** Answer to one request. */
export interface PreparedTranscription {
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
export interface TranscriptionRequest {
  readonly model: string;
  readonly responseFormat: string;
  readonly language: string | null;
  readonly fileName: string;
  readonly contentType: string;
  readonly bytes: number;
}

const maxKeptRequests = 1_000;

/** Stores the answers that tests prepare, and the requests received. */
export class TranscriptionSimulation {
  #answers: PreparedTranscription[] = [];
  readonly #requests: TranscriptionRequest[] = [];

  /** Replaces the pending answers. */
  prepare(answers: readonly PreparedTranscription[]): void {
    this.#answers = [...answers];
  }

  next(): PreparedTranscription {
    return this.#answers.shift() ?? {};
  }

  recordRequest(request: TranscriptionRequest): void {
    this.#requests.push(request);
    if (this.#requests.length > maxKeptRequests) this.#requests.shift();
  }

  get requests(): readonly TranscriptionRequest[] {
    return this.#requests;
  }
}
