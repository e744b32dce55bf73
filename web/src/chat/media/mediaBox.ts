import type { MediaInfo } from '../engine/mediaInfo.ts';

/** Pixels on the screen. */
export interface Box {
  readonly width: number;
  readonly height: number;
}

const widest = 340;
const highest = 380;
const narrowest = 140;
const lowest = 100;

/**
 * The room that a picture takes in a conversation, known before it is there so that nothing jumps. What is not as wide
 * or high as it may be is cut to it; a picture whose measures nobody told gets a square.
 */
export function pictureBox({ width, height }: Pick<MediaInfo, 'width' | 'height'>): Box {
  if (!width || !height) return { width: 240, height: 240 };
  const scale = Math.min(1, widest / width, highest / height);
  return {
    width: Math.round(Math.min(widest, Math.max(narrowest, width * scale))),
    height: Math.round(Math.min(highest, Math.max(lowest, height * scale))),
  };
}
