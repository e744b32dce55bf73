import type { StoredFile } from '@nolo/api';
import type { StoredFilePreview } from '@nolo/client/uploads/ports';
import { readSoundSeconds, inspectVideo } from './playable.ts';

/**
 * Creates a preview of a file that the server fetched, because its bytes were never on this device. Loads only the
 * beginning of a video. Returns no preview if this browser cannot read the file.
 */
export async function inspectStoredFile({ kind, url }: Pick<StoredFile, 'kind' | 'url'>): Promise<StoredFilePreview> {
  // The query, which all media requests have, distinguishes it from a profile picture.
  const address = `${url}?full`;
  try {
    if (kind === 'video') {
      const preview = await inspectVideo(address);
      if (!preview) return { info: {} };
      const { width, height, duration, still } = preview;
      const info = {
        width,
        height,
        ...(duration !== undefined && { duration }),
        ...(still?.thumbhash !== undefined && { thumbhash: still.thumbhash }),
      };
      return { info, ...(still && { poster: still.file, thumbnails: still.thumbnails }) };
    }
    if (kind === 'audio') {
      const duration = await readSoundSeconds(address);
      return { info: duration === undefined ? {} : { duration } };
    }
  } catch {
    // The file may play elsewhere.
  }
  return { info: {} };
}
