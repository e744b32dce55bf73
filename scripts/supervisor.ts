import { setTimeout as sleep } from 'node:timers/promises';
import { describeEnding, type Ending, type RunningChild } from './childProcess.ts';
import type { ChildLog } from './childLog.ts';
import { Refusal, sentenceOf } from './refusal.ts';

/** sysexits.h: what a service of ours ends with when another attempt would end in the same way. */
const wrongConfiguration = 78;

/** Something that has to run all the time. */
export interface Unit {
  name: string;
  log: ChildLog;
  launch: () => RunningChild | Promise<RunningChild>;
  /** How long it may take from its launch until it is ready. */
  readyWithinMs?: number;
}

export interface SupervisorOptions {
  /** Called once, with a sentence, when a unit has been given up. */
  onGiveUp: (reason: Refusal) => void;
  /** What happens to it is told here, for the person who watches. */
  onNotice: (line: string) => void;
  /** Deaths of one unit in a row, each within `fastMs` of its launch, after which it is given up. */
  fastDeaths?: number;
  fastMs?: number;
  backOffMs?: (death: number) => number;
}

/** One unit under supervision. */
export interface Supervised {
  readonly name: string;
  /** The process that runs now, if one does. */
  readonly pid: number | undefined;
  /** Starts it unless it runs, and waits until it is ready. */
  start: () => Promise<void>;
  /** Waits until it is ready, over as many restarts as that takes. */
  ready: () => Promise<void>;
  /** Stops it and leaves it stopped. */
  stop: (how?: NodeJS.Signals) => Promise<void>;
  /** Kills it. Unless it is to be held down, the supervisor restarts it as after any other death. */
  kill: (name?: NodeJS.Signals, options?: { hold?: boolean }) => Promise<void>;
  /** Ends with a new process that is ready: at once if it is down, after a stop if it runs. */
  restart: () => Promise<void>;
}

/** Whether a unit is ready, and who waits until it is. */
class Readiness {
  readonly #waiting = new Set<{ resolve: () => void; reject: (reason: Error) => void }>();
  #isReady = false;

  get isReady(): boolean {
    return this.#isReady;
  }

  async wait(): Promise<void> {
    if (this.#isReady) return;
    await new Promise<void>((resolve, reject) => this.#waiting.add({ resolve, reject }));
  }

  reached(): void {
    this.#isReady = true;
    for (const { resolve } of this.#waiting) resolve();
    this.#waiting.clear();
  }

  /** Answers whether it had been reached. */
  lost(): boolean {
    const was = this.#isReady;
    this.#isReady = false;
    return was;
  }

  /** Nobody waits any longer. */
  fail(reason: Error): void {
    for (const { reject } of this.#waiting) reject(reason);
    this.#waiting.clear();
  }
}

/** Waits until a process has ended; one that is not ready in time is ended. */
async function untilExit(unit: Unit, running: RunningChild, onReady: () => void): Promise<Ending> {
  const late = setTimeout(() => {
    unit.log.note(`was not ready in time and is ended`);
    running.kill('SIGKILL');
  }, unit.readyWithinMs ?? 60_000);
  void running.ready.then(
    () => {
      clearTimeout(late);
      onReady();
    },
    () => {
      clearTimeout(late);
    },
  );
  const ending = await running.exited;
  clearTimeout(late);
  return ending;
}

function givenUpBecause({ name, log }: Unit, ending: Ending, deaths: number): string {
  const last = log.lastLines(6).map((line) => `\n    ${line}`);
  const times = deaths === 1 ? 'could not start' : `ended ${String(deaths)} times in a row`;
  return `${name} ${times} (${describeEnding(ending)}) and is given up; its last lines were:${last.join('') || '\n    (none)'}`;
}

/** Keeps a unit running: launch, readiness, restart with back-off, and an end to trying. */
export function supervise(unit: Unit, options: SupervisorOptions): Supervised {
  const fastDeaths = options.fastDeaths ?? 5;
  const fastMs = options.fastMs ?? 10_000;
  const backOffMs = options.backOffMs ?? ((death) => Math.min(250 * 2 ** (death - 1), 8000));
  // One stretch from a start to its stop; a new start does not revive the one that is being stopped.
  let stretch = { wanted: false };
  let child: RunningChild | undefined;
  let loop: Promise<void> | undefined;
  let wakeUp = new AbortController();
  let givenUp: Refusal | undefined;
  const readiness = new Readiness();

  async function keepRunning(mine: { wanted: boolean }): Promise<void> {
    let deathsInARow = 0;
    while (mine.wanted) {
      const launchedAt = performance.now();
      const running = await unit.launch();
      child = running;
      // Stopped while it was being launched: nobody else knows of this process yet.
      if (!mine.wanted) {
        await running.stop();
        break;
      }
      const ending = await untilExit(unit, running, () => {
        if (child === running) readiness.reached();
      });
      child = undefined;
      const wasReady = readiness.lost();
      if (!mine.wanted) break;
      // One that was never ready has not done anything that would speak for another attempt.
      const fast = !wasReady || performance.now() - launchedAt < fastMs;
      deathsInARow = fast ? deathsInARow + 1 : 1;
      if (deathsInARow >= fastDeaths || ending.code === wrongConfiguration) {
        refuse(givenUpBecause(unit, ending, deathsInARow));
        break;
      }
      const pause = backOffMs(deathsInARow);
      options.onNotice(
        `${unit.name} ended (${describeEnding(ending)}) and is started again in ${(pause / 1000).toFixed(2)} s.`,
      );
      wakeUp = new AbortController();
      await sleep(pause, undefined, { signal: wakeUp.signal }).catch(() => undefined);
    }
  }

  function refuse(sentence: string): void {
    stretch.wanted = false;
    givenUp = new Refusal(sentence);
    readiness.fail(givenUp);
    options.onGiveUp(givenUp);
  }

  async function ready(): Promise<void> {
    if (givenUp !== undefined) throw givenUp;
    await readiness.wait();
  }

  async function start(): Promise<void> {
    if (!stretch.wanted) {
      const mine = { wanted: true };
      stretch = mine;
      givenUp = undefined;
      const previous = loop;
      loop = (async () => {
        await previous;
        await keepRunning(mine);
      })().catch((error: unknown) => {
        refuse(`${unit.name} could not be launched (${sentenceOf(error)}).`);
      });
    } else {
      // It may be resting between two attempts.
      wakeUp.abort();
    }
    await ready();
  }

  async function stop(how?: NodeJS.Signals): Promise<void> {
    stretch.wanted = false;
    wakeUp.abort();
    readiness.fail(new Error(`${unit.name} was stopped before it was ready.`));
    await child?.stop(how);
    await loop;
  }

  return {
    name: unit.name,
    get pid() {
      return child?.pid;
    },
    start,
    ready,
    stop,
    async kill(name = 'SIGKILL', { hold = false } = {}) {
      const running = child;
      if (hold) stretch.wanted = false;
      if (running === undefined) return;
      readiness.lost();
      running.kill(name);
      await running.exited;
      if (hold) await loop;
    },
    async restart() {
      if (child !== undefined && readiness.isReady) await stop();
      await start();
    },
  };
}
