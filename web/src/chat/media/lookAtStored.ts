import type { File as StoredFile } from '@nolo/api';
import type { StoredLooks } from '../engine/uploads/ports.ts';
import { lengthOfSound, lookAtVideo } from './playable.ts';

/**
 * Creates a preview of a file that the server fetched, because its bytes were never on this device. Loads only the
 * beginning of a video. Returns no preview if this browser cannot read the file.
 */
export async function lookAtStored({ kind, url }: Pick<StoredFile, 'kind' | 'url'>): Promise<StoredLooks> {
  // The query, which all media requests have, distinguishes it from a profile picture.
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
    // The file may play elsewhere.
  }
  return { info: {} };
}
