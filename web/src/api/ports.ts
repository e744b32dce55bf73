import type { ClientEventData, ClientEventName, File as StoredFile, ServerFrame } from '@nolo/api';
import type { FileKind } from '@nolo/rules';

/** What reaches the server and the clock, as those who need it see it; tests bring small ones of their own. */

export interface Timers {
  /** Milliseconds since the epoch, by the server's clock. */
  now(): number;
  /** Resolves once `now` is certain: a device's clock may have been changed since it was last compared with the server's. */
  readonly certain?: Promise<void>;
  /** Calls back when `now` was corrected; the returned function stops that. */
  onMoved?(task: () => void): () => void;
  /** Runs `task` once after `ms`; the returned function cancels it. */
  after(ms: number, task: () => void): () => void;
  /** 0 inclusive to 1 exclusive, for jitter. */
  random(): number;
}

/** Why a send did not succeed, as the outbox needs to know it. */
export interface SendFailure {
  /** True when the same request may succeed later: no network, server busy. */
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

/** A smaller picture, so wide. */
export interface Thumbnail {
  readonly width: number;
  readonly file: Blob;
}

/** Where an upload in parts goes on after a break. */
export interface UploadPlace {
  readonly key: string;
  readonly uploadId: string;
}

/** One file that is to be on the server. */
export interface UploadTask {
  readonly file: Blob;
  readonly name: string;
  readonly kind: FileKind;
  /** Smaller pictures of it. */
  readonly thumbnails?: readonly Thumbnail[] | undefined;
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

/** One file that the server is to fetch from elsewhere. */
export interface ImportTask {
  readonly link: string;
  /** What the file is called, and of how many bytes it is said to be; 0 where nobody knows. */
  readonly name: string;
  readonly size: number;
  /** Bytes that have come, and of how many; null where nobody knows. */
  onProgress(came: number, total: number | null): void;
  onStall(stalled: boolean): void;
}

/** How bytes get to the server. */
export interface UploadTransport {
  upload(task: UploadTask): RunningUpload;
  importLink(task: ImportTask): RunningUpload;
}
