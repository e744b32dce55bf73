import { endAllChildren } from './liveChildren.ts';

/** Request from outside to end the launcher. */
export interface Interruption {
  readonly requested: boolean;
  /** Resolves with the exit code of an unfinished command: 128 plus the signal's number. */
  happened: Promise<number>;
  /** True once the command can end in its own order when interrupted. */
  handled: boolean;
  /** Registers work to do at the moment of the request. */
  before: (work: () => void) => void;
  /** Stops everything that was started and still runs. */
  cleanUp: () => Promise<void>;
}

const signals = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const;

/**
 * Listens for requests to end the launcher: the usual signals, and the closed channel to the bootstrap, which means
 * that the bootstrap was killed. A second signal after a moment comes from an impatient person: the launcher exits at
 * once, and its children stop by themselves when their channels close.
 */
export function listenForInterruption(): Interruption {
  let requestedAt: number | undefined;
  const work: (() => void)[] = [];
  let resolve: (code: number) => void = () => undefined;
  const happened = new Promise<number>((settle) => {
    resolve = settle;
  });
  function request(code: number): void {
    const now = performance.now();
    if (requestedAt !== undefined) {
      // A terminal and npm may each pass on the same Ctrl-C.
      if (now - requestedAt > 1500) process.exit(1);
      return;
    }
    requestedAt = now;
    for (const one of work) one();
    resolve(code);
  }
  for (const [name, number] of Object.entries(signals)) {
    process.on(name, () => {
      request(128 + number);
    });
  }
  process.on('disconnect', () => {
    request(129);
  });
  // Writing to a closed terminal fails, which must not prevent an orderly shutdown.
  process.stdout.on('error', () => undefined);
  process.stderr.on('error', () => undefined);
  return {
    get requested() {
      return requestedAt !== undefined;
    },
    happened,
    handled: false,
    before(one) {
      work.push(one);
    },
    cleanUp: endAllChildren,
  };
}
