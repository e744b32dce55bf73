/** Bars of a voice note: as many as a bubble has room for. */
export const waveformBars = 56;

/**
 * So many bars from levels of any number, each as high as the loudest that falls into it, the loudest of all at 100:
 * a quiet voice fills its note like a loud one.
 */
export function waveformOf(levels: readonly number[], count = waveformBars): number[] {
  if (levels.length === 0) return Array.from({ length: count }, () => 0);
  const bars = Array.from({ length: count }, (_, bar) => {
    const from = Math.floor((bar * levels.length) / count);
    const to = Math.max(from + 1, Math.floor(((bar + 1) * levels.length) / count));
    return Math.max(...levels.slice(from, to));
  });
  const loudest = Math.max(...bars);
  return bars.map((level) => (loudest > 0 ? Math.round((level / loudest) * 100) : 0));
}
