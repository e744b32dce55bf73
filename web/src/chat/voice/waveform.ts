/** Bars of a voice note, as many as fit a bubble. */
export const waveformBarCount = 56;

/**
 * Resamples levels to `count` bars. Each bar is as high as its loudest level, and the loudest is 100, so that quiet
 * voices fill the waveform too.
 */
export function toWaveform(levels: readonly number[], count = waveformBarCount): number[] {
  if (levels.length === 0) return Array.from({ length: count }, () => 0);
  const bars = Array.from({ length: count }, (_, bar) => {
    const from = Math.floor((bar * levels.length) / count);
    const to = Math.max(from + 1, Math.floor(((bar + 1) * levels.length) / count));
    return Math.max(...levels.slice(from, to));
  });
  const loudest = Math.max(...bars);
  return bars.map((level) => (loudest > 0 ? Math.round((level / loudest) * 100) : 0));
}
