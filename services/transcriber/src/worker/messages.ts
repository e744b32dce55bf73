import type { AudioFormat } from '../domain/ports.ts';

/** What the service and its worker processes say to each other, over Node's own channel. */

/** Given to the worker when it starts. */
export interface WorkerSettings {
  /** A program and its arguments that prints the words of a WAV file. */
  readonly command?: readonly string[] | undefined;
  /** Or the folder of a model. */
  readonly modelDir?: string | undefined;
  /** The program, where it is found. */
  readonly ffmpeg?: string | undefined;
  /** How long a voice note may be. */
  readonly maxSeconds: number;
  /** All that the worker and its programs see of the environment. */
  readonly environment: Readonly<Record<string, string>>;
}

/** From the service. */
export interface Job {
  readonly id: number;
  readonly bytes: Uint8Array;
  readonly format: AudioFormat;
  /** A folder for this job alone. It is the service's to remove, and the worker's where the service is gone. */
  readonly folder: string;
}

/** What a worker is about to do, for the sentence that says in the midst of what it ended. */
export type Stage = 'decoding' | 'loading' | 'hearing';

/** From the worker. */
export type WorkerMessage = JobResult | { readonly id: number; readonly kind: 'stage'; readonly stage: Stage };

export type JobResult =
  | { readonly id: number; readonly kind: 'heard'; readonly text: string; readonly seconds: number }
  | { readonly id: number; readonly kind: 'refused'; readonly why: RefusalReason; readonly detail: string };

export type RefusalReason = 'not_audio' | 'too_long' | 'failed';

/** Thrown inside a worker. `detail` is for the log; of what was said nothing is in it. */
export class JobRefused extends Error {
  readonly why: RefusalReason;

  constructor(why: RefusalReason, detail: string) {
    super(detail);
    this.why = why;
  }
}
