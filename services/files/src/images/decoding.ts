import sharp from 'sharp';
import { picturesBusy } from '../errors.ts';

/** Pictures decoded at the same time; each may need some hundred megabytes. */
const atOnce = 2;
/** Pictures that wait for their turn; the next one is turned away. */
const mostWaiting = 16;
export const timeoutSeconds = 20;

// Decoders that we do not ask for cannot be reached by a crafted file either (SVG, TIFF and the rest).
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: [
    'VipsForeignLoadPng',
    'VipsForeignLoadJpeg',
    'VipsForeignLoadWebp',
    'VipsForeignLoadNsgif',
    'VipsForeignLoadHeif',
  ],
});
// Uploads are seen once, so a cache only holds memory; and one picture does not take all cores.
sharp.cache(false);
sharp.concurrency(1);

/** Lets few work at once and some wait; the others are told to come again. */
export class Turns {
  #working = 0;
  readonly #waiting: (() => void)[] = [];

  /** @throws AppError pictures_busy */
  async take<T>(work: () => Promise<T>): Promise<T> {
    await this.#enter();
    try {
      return await work();
    } finally {
      this.#leave();
    }
  }

  async #enter(): Promise<void> {
    if (this.#working < atOnce) {
      this.#working += 1;
      return;
    }
    if (this.#waiting.length >= mostWaiting) throw picturesBusy();
    // Whoever leaves hands its place on, so the count stays.
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  #leave(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#working -= 1;
  }
}
