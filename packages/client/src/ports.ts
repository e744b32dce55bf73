import type { ClientEventData, ClientEventName, StoredFile, ServerFrame } from '@nolo/api';
import type { FileKind } from '@nolo/rules';

/** Ports to the server and the clock, from the view of their users; tests implement small ones. */

export interface Timers {
  /** Returns milliseconds since the epoch, by the server's clock. */
  now(): number;
  /**
   * Resolves once `now` is certain: the device's clock may have changed since it was last compared with the server's.
   */
  readonly certain?: Promise<void>;
  /** Calls back when `now` was corrected; the returned function unsubscribes. */
  onMoved?(task: () => void): () => void;
  /** Runs `task` once after `ms`; the returned function cancels it. */
  after(ms: number, task: () => void): () => void;
  /** Returns a number from 0 inclusive to 1 exclusive, for jitter. */
  random(): number;
}

/** Reason why a send failed, as the outbox needs it. */
export interface SendFailure {
  /** True if the same request may succeed later: no network, server busy. */
  readonly passing: boolean;
  readonly code: string;
  readonly message: string;
  readonly retryAfterMs?: number | undefined;
}

export interface SocketHandlers {
  onFrame(frame: ServerFrame): void;
  /** `code` as in RFC 6455 section 7.4. */
  onClose(code: number): void;
}

export interface Socket {
  send(text: string): void;
  close(): void;
}

/** Opens one connection to `/ws`. */
export type OpenSocket = (handlers: SocketHandlers) => Socket;

export interface RealtimePort {
  send<N extends ClientEventName>(type: N, data: ClientEventData<N>): void;
}

/** Smaller picture of the given width. */
export interface Thumbnail {
  readonly width: number;
  readonly file: Blob;
}

/** Position from which a multipart upload resumes. */
export interface UploadResumePoint {
  readonly key: string;
  readonly uploadId: string;
}

/** File to upload. */
export interface UploadTask {
  readonly file: Blob;
  readonly name: string;
  readonly kind: FileKind;
  /** Smaller versions of the picture. */
  readonly thumbnails?: readonly Thumbnail[] | undefined;
  /** Position of a multipart upload before a reload or an interruption. */
  readonly place?: UploadResumePoint | undefined;
  onPlace(place: UploadResumePoint): void;
  /** Reports the bytes sent. */
  onProgress(sent: number): void;
  /** Reports that the network was lost or is back; the upload waits by itself. */
  onStall(stalled: boolean): void;
}

export interface RunningUpload {
  /** Rejects with the error of the server or the connection, and when canceled. */
  readonly done: Promise<StoredFile>;
  pause(): void;
  resume(): void;
  /** Ends it permanently, also on the server. */
  cancel(): void;
}

/** File for the server to fetch. */
export interface ImportTask {
  readonly link: string;
  /** Name of the file, and its declared size in bytes; 0 if unknown. */
  readonly name: string;
  readonly size: number;
  /** Reports the bytes received, and the total; null if unknown. */
  onProgress(came: number, total: number | null): void;
  onStall(stalled: boolean): void;
}

/** Transports bytes to the server. */
export interface UploadTransport {
  upload(task: UploadTask): RunningUpload;
  importLink(task: ImportTask): RunningUpload;
}

/**
 * Runs the task once no other tab of the account runs one with this name. Does not run it if `signal` is aborted first.
 */
export type RunExclusively = (name: string, signal: AbortSignal, task: () => Promise<void>) => Promise<void>;
