import { endAllChildren } from './liveChildren.ts';

/** A wish from outside that the launcher ends. */
export interface Interruption {
  readonly requested: boolean;
  /** Resolves with the exit code that a command which did not finish has: 128 and the signal's number. */
  happened: Promise<number>;
  /** Whether the command has come to where it ends in its own order when it is interrupted. */
  handled: boolean;
  /** Something to do at the moment of the wish. */
  before: (work: () => void) => void;
  /** Stops everything that was started and is still there. */
  cleanUp: () => Promise<void>;
}

const signals = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const;

/**
 * Listens for the ways in which the launcher is asked to end: the usual signals, and the closing of
 * the channel to the bootstrap, which means that this was killed. A second signal after a moment is
 * from somebody who is tired of waiting: the launcher leaves, and its children, whose channels
 * close with that, stop on their own.
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
  // A terminal that is gone can no longer be written to, which is no reason to leave in disorder.
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
