import type { MediaSource } from '@nolo/rules';

/** Number of spatial and temporal layers that a producer sends. 1: no choice. */
export interface SentLayers {
  readonly spatial: number;
  readonly temporal: number;
  /** Lines of the highest layer; for portrait pictures, its columns. Undefined if the sender does not report it. */
  readonly shortSide?: number | undefined;
}

export interface ChosenLayers {
  readonly spatialLayer: number;
  readonly temporalLayer: number;
}

/**
 * Default lines of the highest layer, if the sender does not report it. The web client requests 720 from cameras, and
 * sends two layers if a camera has about half of that.
 */
const estimateShortSide = (kind: 'camera' | 'screen', layers: number) =>
  kind === 'screen' ? 1_080 : layers === 2 ? 360 : 720;

/** Factor by which a picture may be enlarged before people notice. Text tolerates none. */
const stretch = { camera: 1.4, screen: 1 } as const;

/** Tiles up to this height get half of the frames, because they are thumbnails. */
const thumbnailHeight = 120;

/**
 * Returns the lowest layers that look sharp in a tile of this height in device pixels. Each layer has half the height
 * of the next.
 */
export function layersFor(height: number, source: MediaSource, sent: SentLayers): ChosenLayers {
  const kind = source === 'screen' ? 'screen' : 'camera';
  const top = Math.max(0, sent.spatial - 1);
  const shortSide = sent.shortSide ?? estimateShortSide(kind, sent.spatial);
  let spatialLayer = top;
  const coveredBy = (layer: number) => Math.round((shortSide / 2 ** (top - layer)) * stretch[kind]);
  while (spatialLayer > 0 && coveredBy(spatialLayer - 1) >= height) spatialLayer -= 1;
  const everyFrame = Math.max(0, sent.temporal - 1);
  return { spatialLayer, temporalLayer: height <= thumbnailHeight ? Math.max(0, everyFrame - 1) : everyFrame };
}
