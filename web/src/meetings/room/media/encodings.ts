import type { MediaSource } from '@nolo/rules';

export interface Encoding {
  scaleResolutionDownBy?: number;
  maxBitrate: number;
  maxFramerate?: number;
  scalabilityMode: string;
}

/**
 * Returns encodings for the full picture, half, and a quarter, so that receivers get what their tiles need. Smaller
 * cameras send fewer layers. `shortSide` is their shorter side.
 */
export function encodingsFor(source: MediaSource, shortSide: number): Encoding[] {
  if (source === 'screen') {
    // Text needs one sharp layer and few frames. Moving content gets more automatically.
    return [{ maxBitrate: 2_500_000, maxFramerate: 15, scalabilityMode: 'L1T3' }];
  }
  const layers: Encoding[] = [
    { scaleResolutionDownBy: 4, maxBitrate: 150_000, scalabilityMode: 'L1T3' },
    { scaleResolutionDownBy: 2, maxBitrate: 500_000, scalabilityMode: 'L1T3' },
    { scaleResolutionDownBy: 1, maxBitrate: 1_700_000, scalabilityMode: 'L1T3' },
  ];
  if (shortSide >= 540) return layers;
  if (shortSide >= 270) {
    return [
      { scaleResolutionDownBy: 2, maxBitrate: 150_000, scalabilityMode: 'L1T3' },
      { scaleResolutionDownBy: 1, maxBitrate: 600_000, scalabilityMode: 'L1T3' },
    ];
  }
  return [{ scaleResolutionDownBy: 1, maxBitrate: 300_000, scalabilityMode: 'L1T3' }];
}
