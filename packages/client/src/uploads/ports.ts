import type { MediaInfo } from '../chat/mediaInfo.ts';
import type { StoredFile } from '@nolo/api';
import type { ChatDeviceStorage, UploadEvents } from '../chat/ports.ts';
import type { RunExclusively, SendFailure, Thumbnail, Timers, UploadTransport } from '../ports.ts';

/** Visible properties of a file that the server fetched. */
export interface StoredFilePreview {
  readonly info: MediaInfo;
  /** Poster of a video. */
  readonly poster?: Blob;
  readonly thumbnails?: readonly Thumbnail[];
}

export interface MessageFileUploaderDependencies {
  transport: UploadTransport;
  /** Inspects a file that the server fetched. Files that cannot be inspected are sent as they are. */
  inspectFile(file: StoredFile): Promise<StoredFilePreview>;
  /** Absent: files stay in memory. */
  device: ChatDeviceStorage | undefined;
  timers: Timers;
  failureOf(error: unknown): SendFailure;
  exclusively: RunExclusively;
  events: UploadEvents;
}
