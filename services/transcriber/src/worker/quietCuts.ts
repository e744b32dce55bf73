/** The length of what is held against its surroundings, in seconds. */
const windowSeconds = 0.1;

/**
 * Parts of a sound that are at most `maxSeconds` long, cut where it is quietest in the last third of each: models for
 * speech take half a minute at most and forget the rest, and a word that is cut in two is lost.
 */
export function* quietCuts(samples: Float32Array, rate: number, maxSeconds: number): Generator<Float32Array> {
  const most = Math.floor(maxSeconds * rate);
  const window = Math.max(1, Math.floor(windowSeconds * rate));
  let start = 0;
  while (samples.length - start > most) {
    let cut = start + most;
    let quietest = Number.POSITIVE_INFINITY;
    for (let at = start + Math.floor((most * 2) / 3); at + window <= start + most; at += window) {
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
