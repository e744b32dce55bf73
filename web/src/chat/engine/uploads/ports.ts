import type { MediaInfo } from '../mediaInfo.ts';
import type { Thumbnail } from '../../../api/ports.ts';

/** What can be seen of a file that the server fetched. */
export interface StoredLooks {
  readonly info: MediaInfo;
  /** What stands in a video's place. */
  readonly poster?: Blob;
  readonly thumbnails?: readonly Thumbnail[];
}
