/** Length of the windows whose loudness is compared, in seconds. */
const windowSeconds = 0.1;

/**
 * Splits a sound into pieces of at most `maxSeconds`, each cut at the quietest point of its last third. Speech models
 * take half a minute at most and drop the rest, and a word cut in two is lost.
 */
export function* splitAtQuietPlaces(samples: Float32Array, rate: number, maxSeconds: number): Generator<Float32Array> {
  const maxSamples = Math.floor(maxSeconds * rate);
  const window = Math.max(1, Math.floor(windowSeconds * rate));
  let start = 0;
  while (samples.length - start > maxSamples) {
    let cut = start + maxSamples;
    let quietest = Number.POSITIVE_INFINITY;
    for (let at = start + Math.floor((maxSamples * 2) / 3); at + window <= start + maxSamples; at += window) {
      let loudness = 0;
      for (let index = at; index < at + window; index += 1) loudness += (samples[index] ?? 0) ** 2;
      if (loudness <= quietest) {
        quietest = loudness;
        cut = at + Math.floor(window / 2);
      }
    }
    yield samples.subarray(start, cut);
    start = cut;
  }
  yield samples.subarray(start);
}
