import type { MediaSource } from '@nolo/rules';

export interface Encoding {
  scaleResolutionDownBy?: number;
  maxBitrate: number;
  maxFramerate?: number;
  scalabilityMode: string;
}

/**
 * The full picture, half of it and a quarter: receivers get what their tiles need. Smaller cameras send fewer layers; `lines`
 * is their shorter side.
 */
export function encodingsFor(source: MediaSource, lines: number): Encoding[] {
  if (source === 'screen') {
    // Text in one layer, sharp; few frames are enough for it, and what moves gets more by itself.
    return [{ maxBitrate: 2_500_000, maxFramerate: 15, scalabilityMode: 'L1T3' }];
  }
  const layers: Encoding[] = [
    { scaleResolutionDownBy: 4, maxBitrate: 150_000, scalabilityMode: 'L1T3' },
    { scaleResolutionDownBy: 2, maxBitrate: 500_000, scalabilityMode: 'L1T3' },
    { scaleResolutionDownBy: 1, maxBitrate: 1_700_000, scalabilityMode: 'L1T3' },
  ];
  if (lines >= 540) return layers;
  if (lines >= 270) {
    return [
      { scaleResolutionDownBy: 2, maxBitrate: 150_000, scalabilityMode: 'L1T3' },
      { scaleResolutionDownBy: 1, maxBitrate: 600_000, scalabilityMode: 'L1T3' },
    ];
  }
  return [{ scaleResolutionDownBy: 1, maxBitrate: 300_000, scalabilityMode: 'L1T3' }];
}
