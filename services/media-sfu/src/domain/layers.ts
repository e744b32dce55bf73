import type { MediaSource } from '@nolo/rules';

/** How many layers a producer sends of each kind; 1 means that there is nothing to choose. */
export interface SentLayers {
  readonly spatial: number;
  readonly temporal: number;
}

export interface ChosenLayers {
  readonly spatialLayer: number;
  readonly temporalLayer: number;
}

/** Height of the highest layer. The signalling does not carry it; these are what the web asks its devices for. */
const fullHeight = { camera: 720, screen: 1080 } as const;

/** A picture may be drawn this much larger than it is before people see it; text does not forgive that. */
const stretch = { camera: 1.4, screen: 1 } as const;

/** Tiles up to this height get half of the frames: they are a strip of thumbnails. */
const thumbnailHeight = 120;

/** The lowest layers that look sharp in a tile of this height in device pixels. Each layer has half the height of the next. */
export function layersFor(height: number, source: MediaSource, sent: SentLayers): ChosenLayers {
  const kind = source === 'screen' ? 'screen' : 'camera';
  const top = Math.max(0, sent.spatial - 1);
  let spatialLayer = top;
  const coveredBy = (layer: number) => Math.round((fullHeight[kind] / 2 ** (top - layer)) * stretch[kind]);
  while (spatialLayer > 0 && coveredBy(spatialLayer - 1) >= height) spatialLayer -= 1;
  const everyFrame = Math.max(0, sent.temporal - 1);
  return { spatialLayer, temporalLayer: height <= thumbnailHeight ? Math.max(0, everyFrame - 1) : everyFrame };
}
