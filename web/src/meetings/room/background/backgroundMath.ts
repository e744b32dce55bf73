/** Decisions about the blurred background that need no picture. */

/** Longer side of the model's input. Models need little, and edges are softened anyway. */
const maskSide = 256;

export interface PixelSize {
  width: number;
  height: number;
}

/** Returns the size in which to look for the person, for a picture of this shape. */
export function computeMaskSize({ width, height }: PixelSize): PixelSize {
  const scale = maskSide / Math.max(width, height, 1);
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/** Confidence below which a pixel is background, and above which it is the person. In between, the edge is soft. */
const surelyNot = 0.25;
const surely = 0.75;
/** Share of the previous mask that is carried over, so that edges do not flicker. */
const staying = 0.3;

/**
 * Converts the model's confidence for each pixel to the person's opacity (0 to 255). A single mask marks the person.
 * With several classes, the first is the background.
 */
export function toAlpha(
  sureness: Float32Array,
  confidenceOf: 'person' | 'background',
  before: Uint8ClampedArray | null,
): Uint8ClampedArray<ArrayBuffer> {
  const alpha = new Uint8ClampedArray(sureness.length);
  const mixes = before !== null && before.length === alpha.length;
  for (const [at, sure] of sureness.entries()) {
    const person = confidenceOf === 'person' ? sure : 1 - sure;
    const step = Math.min(1, Math.max(0, (person - surelyNot) / (surely - surelyNot)));
    const soft = 255 * step * step * (3 - 2 * step);
    alpha[at] = mixes ? soft * (1 - staying) + (before[at] ?? 0) * staying : soft;
  }
  return alpha;
}

/** Returns the value that the given share of the values does not exceed. */
function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? 0;
}

/** Milliseconds per mask above which only every other picture gets one. */
const quickMs = 20;
const remembered = 15;

/** Decides which pictures get a new mask. */
export class MaskScheduler {
  readonly #took: number[] = [];
  #skipped = false;

  /** Returns true if this picture gets its own mask. Call once per picture. */
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

/** Milliseconds within which nine of ten pictures must be ready. Otherwise, the rest of the call suffers. */
const slowMs = 60;
const watchedMs = 5_000;
/** Minimum time and number of pictures for a verdict, because the first pictures after a rest are slow. */
const leastMs = 4_000;
const fewest = 3;

/** Detects that this machine is too slow for blurring. */
export class SlownessGuard {
  readonly #taken: { at: number; ms: number }[] = [];
  #warm = false;

  /** Records that a picture was ready at `at`. Returns true once pictures have taken too long for some seconds. */
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
