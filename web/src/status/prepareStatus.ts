import { limits } from '@nolo/rules';
import { prepareMedia } from '../chat/media/prepareMedia.ts';
import { readMediaInfo } from '@nolo/client/chat/mediaInfo';
import type { MediaFiles } from '@nolo/client/chat/ports';
import { getMaxFileBytes } from '../session/fileLimit.ts';

/** Picture or video to be posted, without metadata. */
export interface StatusMedia {
  readonly mediaType: 'image' | 'video';
  readonly files: MediaFiles;
  readonly name: string;
  /** JSON for `mediaInfo`. */
  readonly info: string | null;
  readonly duration: number | undefined;
  /** True if the file may still contain its location. The app asks before posting it. */
  readonly canRevealLocation: boolean;
}

export type StatusMediaProblem = 'notMedia' | 'tooLarge';

export async function prepareStatusMedia(file: File): Promise<StatusMedia | StatusMediaProblem> {
  const { media, files, canRevealLocation } = await prepareMedia(file);
  if (media.messageType !== 'image' && media.messageType !== 'video') return 'notMedia';
  const { duration } = readMediaInfo(media.info);
  const isLong = duration !== undefined && duration > limits.statusVideoSeconds;
  // A long video is trimmed first, and may then be small enough.
  if (files.file.size > getMaxFileBytes(limits.statusMediaBytes) && !isLong) return 'tooLarge';
  const name = media.name ?? 'status';
  return { mediaType: media.messageType, files, name, info: media.info, duration, canRevealLocation };
}
