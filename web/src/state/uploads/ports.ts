import type { File as StoredFile } from '@nolo/api';
import type { FileKind } from '@nolo/rules';
import type { UploadPlace } from '../ports.ts';

/** One file that is to be on the server. */
export interface UploadTask {
  readonly file: Blob;
  readonly name: string;
  readonly kind: FileKind;
  /** Where an upload in parts had come to, before a reload or a break. */
  readonly place?: UploadPlace | undefined;
  onPlace(place: UploadPlace): void;
  /** Bytes that have left. */
  onProgress(sent: number): void;
  /** The network went, or is back; it waits by itself. */
  onStall(stalled: boolean): void;
}

export interface RunningUpload {
  /** Rejects with what the server or the line said, and once it is cancelled. */
  readonly done: Promise<StoredFile>;
  pause(): void;
  resume(): void;
  /** Ends it for good, also on the server. */
  cancel(): void;
}

/** How bytes get to the server. */
export interface UploadTransport {
  upload(task: UploadTask): RunningUpload;
}

/** Runs the task once no other tab of the account runs one of this name; not at all once `signal` is aborted. */
export type Exclusively = (name: string, signal: AbortSignal, task: () => Promise<void>) => Promise<void>;
