import type { MediaInfo } from '@nolo/client/chat/mediaInfo';

/** Size in screen pixels. */
export interface MediaDisplaySize {
  readonly width: number;
  readonly height: number;
}

const widest = 340;
const highest = 380;
const narrowest = 140;
const lowest = 100;

/**
 * Returns the space for a picture in a conversation, known before it loads, so that nothing jumps. Pictures that are
 * too narrow or too low are cropped to the minimum. Pictures of unknown size get a square.
 */
export function toPictureDisplaySize({ width, height }: Pick<MediaInfo, 'width' | 'height'>): MediaDisplaySize {
  if (!width || !height) return { width: 240, height: 240 };
  const scale = Math.min(1, widest / width, highest / height);
  return {
    width: Math.round(Math.min(widest, Math.max(narrowest, width * scale))),
    height: Math.round(Math.min(highest, Math.max(lowest, height * scale))),
  };
}
