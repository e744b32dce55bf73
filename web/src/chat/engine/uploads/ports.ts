import type { File as StoredFile } from '@nolo/api';
import type { FileKind } from '@nolo/rules';
import type { MediaInfo } from '../mediaInfo.ts';
import type { Thumbnail, UploadPlace } from '../ports.ts';

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

/** What can be seen of a file that the server fetched. */
export interface StoredLooks {
  readonly info: MediaInfo;
  /** What stands in a video's place. */
  readonly poster?: Blob;
  readonly thumbnails?: readonly Thumbnail[];
}

/** Runs the task once no other tab of the account runs one of this name; not at all once `signal` is aborted. */
export type Exclusively = (name: string, signal: AbortSignal, task: () => Promise<void>) => Promise<void>;
