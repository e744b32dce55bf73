import { limits } from '@nolo/rules';
import { prepareMedia } from '../chat/media/prepareMedia.ts';
import { readMediaInfo } from '../chat/engine/mediaInfo.ts';
import type { MediaFiles } from '../chat/engine/ports.ts';
import { mostFileBytes } from '../session/fileLimit.ts';

/** A picture or video as it will be posted: without what it says of its maker. */
export interface StatusMedia {
  readonly mediaType: 'image' | 'video';
  readonly files: MediaFiles;
  readonly name: string;
  /** For `mediaInfo`, as JSON. */
  readonly info: string | null;
  /** Seconds of a video, where they are known. */
  readonly duration: number | undefined;
  /** True where the file may still say where it was made: people are asked before it is posted. */
  readonly mayTellPlace: boolean;
}

export type StatusMediaProblem = 'notMedia' | 'tooLarge';

export async function prepareStatusMedia(file: File): Promise<StatusMedia | StatusMediaProblem> {
  const { media, files, mayTellPlace } = await prepareMedia(file);
  if (media.messageType !== 'image' && media.messageType !== 'video') return 'notMedia';
  const { duration } = readMediaInfo(media.info);
  const isLong = duration !== undefined && duration > limits.statusVideoSeconds;
  // A long one is trimmed first, and may be small enough then.
  if (files.file.size > mostFileBytes(limits.statusMediaBytes) && !isLong) return 'tooLarge';
  const name = media.name ?? 'status';
  return { mediaType: media.messageType, files, name, info: media.info, duration, mayTellPlace };
}
