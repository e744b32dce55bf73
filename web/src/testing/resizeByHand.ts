/** What is told of the size of elements, in a browser that lays nothing out. */
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

/** Tells all that look at the size of an element that it is another one. */
export function resized(): void {
  for (const tell of observed) tell();
}

/** For each test of a file a ResizeObserver that tells of sizes when `resized` is called. */
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
