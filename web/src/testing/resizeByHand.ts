/** Callbacks for the size of elements, in a browser without layout. */
let observed: (() => void)[] = [];

class ManualResizeObserver {
  readonly #notify: () => void;

  constructor(notify: () => void) {
    this.#notify = notify;
  }

  observe(): void {
    observed.push(this.#notify);
  }

  disconnect(): void {}
}

/** Notifies all observers that the size of an element has changed. */
export function notifyResized(): void {
  for (const notify of observed) notify();
}

/** Installs, for each test of a file, a ResizeObserver that reports when `notifyResized` is called. */
export function installManualResizeObserver(): void {
  const original = globalThis.ResizeObserver;
  beforeEach(() => {
    observed = [];
    globalThis.ResizeObserver = ManualResizeObserver as never;
  });
  afterEach(() => {
    globalThis.ResizeObserver = original;
  });
}
