/** What is decided about the blurred background without looking at a picture. */

/** The longer side of what the model gets to see. Models want little: edges are made soft anyway. */
const maskSide = 256;

export interface Size {
  width: number;
  height: number;
}

/** How large a picture of this shape is where the person in it is looked for. */
export function maskSizeOf({ width, height }: Size): Size {
  const scale = maskSide / Math.max(width, height, 1);
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/** What is surely background, and surely a person; between the two the edge is soft. */
const surelyNot = 0.25;
const surely = 0.75;
/** How much of the mask before stays, so that edges do not flicker. */
const staying = 0.3;

/**
 * Turns how sure a model is of each pixel into how much of the person is seen there (0 to 255). A model of one mask marks
 * the person; of several classes the first is the background.
 */
export function alphaOf(
  sureness: Float32Array,
  marks: 'person' | 'background',
  before: Uint8ClampedArray | null,
): Uint8ClampedArray<ArrayBuffer> {
  const alpha = new Uint8ClampedArray(sureness.length);
  const mixes = before !== null && before.length === alpha.length;
  for (const [at, sure] of sureness.entries()) {
    const person = marks === 'person' ? sure : 1 - sure;
    const step = Math.min(1, Math.max(0, (person - surelyNot) / (surely - surelyNot)));
    const soft = 255 * step * step * (3 - 2 * step);
    alpha[at] = mixes ? soft * (1 - staying) + (before[at] ?? 0) * staying : soft;
  }
  return alpha;
}

/** The value that so large a share of the values does not exceed. */
function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? 0;
}

/** Where looking for the person costs more than this, it is done for every other picture. */
const quickMs = 20;
const remembered = 15;

/** Says for which pictures the person is looked for anew. */
export class Rhythm {
  readonly #took: number[] = [];
  #skipped = false;

  /** Whether this picture gets a mask of its own; to be asked once for each. */
  due(): boolean {
    const slow = this.#took.length >= remembered && quantile(this.#took, 0.5) > quickMs;
    this.#skipped = slow && !this.#skipped;
    return !this.#skipped;
  }

  took(ms: number): void {
    this.#took.push(ms);
    if (this.#took.length > remembered) this.#took.shift();
  }
}

/** Nine of ten pictures have to be ready within this, or the rest of the call suffers. */
const slowMs = 60;
const watchedMs = 5_000;
/** Pictures of less time, or fewer than these, say nothing: after a rest the first ones are slow. */
const leastMs = 4_000;
const fewest = 3;

/** Notices that this machine is too slow for blurring. */
export class SlownessGuard {
  readonly #taken: { at: number; ms: number }[] = [];
  #warm = false;

  /** Tells of one picture that is ready at this time; true once pictures have taken too long for some seconds. */
  tooSlow(ms: number, at: number): boolean {
    // The first picture waits for the model to warm up.
    if (!this.#warm) {
      this.#warm = true;
      return false;
    }
    this.#taken.push({ at, ms });
    while ((this.#taken[0]?.at ?? at) < at - watchedMs) this.#taken.shift();
    const [first] = this.#taken;
    if (first === undefined || at - (first.at - first.ms) < leastMs || this.#taken.length < fewest) return false;
    return (
      quantile(
        this.#taken.map((one) => one.ms),
        0.9,
      ) > slowMs
    );
  }
}
