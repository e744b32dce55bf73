import type { AudioFormat } from '../domain/ports.ts';

/** Messages between the service and its worker processes, over Node's own channel. */

/** Settings passed to the worker on start. */
export interface WorkerSettings {
  /** Program with arguments that prints the text of a WAV file. */
  readonly command?: readonly string[] | undefined;
  /** Alternatively, the folder of a model. */
  readonly modelDir?: string | undefined;
  /** Path of ffmpeg, if found. */
  readonly ffmpeg?: string | undefined;
  /** Maximum duration of a voice note. */
  readonly maxSeconds: number;
  /** Complete environment of the worker and its programs. */
  readonly environment: Readonly<Record<string, string>>;
}

/** Job from the service. */
export interface TranscriptionJob {
  readonly id: number;
  readonly bytes: Uint8Array;
  readonly format: AudioFormat;
  /** Folder for this job alone. The service removes it, or the worker if the service is gone. */
  readonly folder: string;
}

/** Current stage of a worker, for the error message if the process ends. */
export type WorkerStage = 'decoding' | 'loading' | 'hearing';

/** Message from the worker. */
export type WorkerMessage =
  TranscriptionJobResult | { readonly id: number; readonly kind: 'stage'; readonly stage: WorkerStage };

export type TranscriptionJobResult =
  | { readonly id: number; readonly kind: 'heard'; readonly text: string; readonly seconds: number }
  | { readonly id: number; readonly kind: 'refused'; readonly why: RefusalReason; readonly detail: string };

export type RefusalReason = 'not_audio' | 'too_long' | 'failed';

/** Error thrown inside a worker. `detail` is for the log and never contains what was said. */
export class JobRefusedError extends Error {
  readonly why: RefusalReason;

  constructor(why: RefusalReason, detail: string) {
    super(detail);
    this.why = why;
  }
}
