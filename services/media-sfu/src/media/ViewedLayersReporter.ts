/**
 * Reports to a sender how many layers of its video are viewed: increases at once, decreases only after a delay, because
 * people change pages and come back. Until notified, it sends all of them.
 */
export class ViewedLayersReporter {
  readonly #requestLayers: (layers: number) => void;
  readonly #fewerAfterMs: number;
  #requested: number;
  #wanted = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: { all: number; fewerAfterMs: number; publishNodeEvent: (layers: number) => void }) {
    this.#requestLayers = options.publishNodeEvent;
    this.#fewerAfterMs = options.fewerAfterMs;
    this.#requested = options.all;
    this.#wait();
  }

  want(layers: number): void {
    if (layers === this.#wanted) return;
    this.#wanted = layers;
    if (layers > this.#requested) this.#sendRequest();
    else this.#wait();
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  /** Restarts with every change, so a video that is viewed intermittently keeps its layers. */
  #wait(): void {
    clearTimeout(this.#timer);
    if (this.#wanted < this.#requested) this.#timer = setTimeout(() => this.#sendRequest(), this.#fewerAfterMs);
  }

  #sendRequest(): void {
    clearTimeout(this.#timer);
    if (this.#wanted === this.#requested) return;
    this.#requested = this.#wanted;
    this.#requestLayers(this.#requested);
  }
}
