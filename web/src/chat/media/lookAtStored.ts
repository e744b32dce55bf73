import type { File as StoredFile } from '@nolo/api';
import type { StoredLooks } from '../engine/uploads/ports.ts';
import { lengthOfSound, lookAtVideo } from './playable.ts';

/**
 * What a file that the server fetched looks like, for its bytes were never here: of a video its beginning is loaded. What
 * this browser cannot read goes without.
 */
export async function lookAtStored({ kind, url }: Pick<StoredFile, 'kind' | 'url'>): Promise<StoredLooks> {
  // With a search, as all media are asked for, so that it is not taken for a profile picture.
  const address = `${url}?full`;
  try {
    if (kind === 'video') {
      const looks = await lookAtVideo(address);
      if (!looks) return { info: {} };
      const { width, height, duration, still } = looks;
      const info = {
        width,
        height,
        ...(duration !== undefined && { duration }),
        ...(still?.thumbhash !== undefined && { thumbhash: still.thumbhash }),
      };
      return { info, ...(still && { poster: still.file, thumbnails: still.thumbnails }) };
    }
    if (kind === 'audio') {
      const duration = await lengthOfSound(address);
      return { info: duration === undefined ? {} : { duration } };
    }
  } catch {
    // The file plays elsewhere, perhaps.
  }
  return { info: {} };
}
