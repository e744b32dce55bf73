import type { MediaSource } from '@nolo/rules';

/** How many layers a producer sends of each kind; 1 means that there is nothing to choose. */
export interface SentLayers {
  readonly spatial: number;
  readonly temporal: number;
  /** Lines of the highest layer, of a picture held upright its columns; undefined where the sender does not say. */
  readonly lines?: number | undefined;
}

export interface ChosenLayers {
  readonly spatialLayer: number;
  readonly temporalLayer: number;
}

/**
 * Lines of the highest layer where a sender does not say. The web asks cameras for 720, and sends two layers of those that
 * have about half of that.
 */
const usualLines = (kind: 'camera' | 'screen', layers: number) =>
  kind === 'screen' ? 1_080 : layers === 2 ? 360 : 720;

/** A picture may be drawn this much larger than it is before people see it; text does not forgive that. */
const stretch = { camera: 1.4, screen: 1 } as const;

/** Tiles up to this height get half of the frames: they are a strip of thumbnails. */
const thumbnailHeight = 120;

/** The lowest layers that look sharp in a tile of this height in device pixels. Each layer has half the height of the next. */
export function layersFor(height: number, source: MediaSource, sent: SentLayers): ChosenLayers {
  const kind = source === 'screen' ? 'screen' : 'camera';
  const top = Math.max(0, sent.spatial - 1);
  const lines = sent.lines ?? usualLines(kind, sent.spatial);
  let spatialLayer = top;
  const coveredBy = (layer: number) => Math.round((lines / 2 ** (top - layer)) * stretch[kind]);
  while (spatialLayer > 0 && coveredBy(spatialLayer - 1) >= height) spatialLayer -= 1;
  const everyFrame = Math.max(0, sent.temporal - 1);
  return { spatialLayer, temporalLayer: height <= thumbnailHeight ? Math.max(0, everyFrame - 1) : everyFrame };
}
