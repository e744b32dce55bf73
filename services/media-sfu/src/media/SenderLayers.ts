/**
 * Reports to a sender how many layers of its video are viewed: increases at once, decreases only after a delay, because
 * people change pages and come back. Until notified, it sends all of them.
 */
export class SenderLayers {
  readonly #tell: (layers: number) => void;
  readonly #fewerAfterMs: number;
  #told: number;
  #wanted = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: { all: number; fewerAfterMs: number; tell: (layers: number) => void }) {
    this.#tell = options.tell;
    this.#fewerAfterMs = options.fewerAfterMs;
    this.#told = options.all;
    this.#wait();
  }

  want(layers: number): void {
    if (layers === this.#wanted) return;
    this.#wanted = layers;
    if (layers > this.#told) this.#say();
    else this.#wait();
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  /** Restarts with every change, so a video that is viewed intermittently keeps its layers. */
  #wait(): void {
    clearTimeout(this.#timer);
    if (this.#wanted < this.#told) this.#timer = setTimeout(() => this.#say(), this.#fewerAfterMs);
  }

  #say(): void {
    clearTimeout(this.#timer);
    if (this.#wanted === this.#told) return;
    this.#told = this.#wanted;
    this.#tell(this.#told);
  }
}
