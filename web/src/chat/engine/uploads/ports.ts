import type { MediaInfo } from '../mediaInfo.ts';
import type { Thumbnail } from '../../../api/ports.ts';

/** Visible properties of a file that the server fetched. */
export interface StoredFilePreview {
  readonly info: MediaInfo;
  /** Poster of a video. */
  readonly poster?: Blob;
  readonly thumbnails?: readonly Thumbnail[];
}
