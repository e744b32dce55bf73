/** Callbacks for the size of elements, in a browser without layout. */
let observed: (() => void)[] = [];

class TellingResizeObserver {
  readonly #tell: () => void;

  constructor(tell: () => void) {
    this.#tell = tell;
  }

  observe(): void {
    observed.push(this.#tell);
  }

  disconnect(): void {}
}

/** Notifies all observers that the size of an element has changed. */
export function resized(): void {
  for (const tell of observed) tell();
}

/** Installs, for each test of a file, a ResizeObserver that reports when `resized` is called. */
export function observeByHand(): void {
  const original = globalThis.ResizeObserver;
  beforeEach(() => {
    observed = [];
    globalThis.ResizeObserver = TellingResizeObserver as never;
  });
  afterEach(() => {
    globalThis.ResizeObserver = original;
  });
}
