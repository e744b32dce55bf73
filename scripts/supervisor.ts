import { setTimeout as sleep } from 'node:timers/promises';
import { describeProcessExit, type ProcessExit, type RunningChild } from './childProcess.ts';
import type { ChildLog } from './childLog.ts';
import { CommandError, describeFailure } from './commandError.ts';

/** Exit code (sysexits.h) of one of our services if another attempt would end the same way. */
const wrongConfiguration = 78;

/** Process that must always run. */
export interface SupervisedUnit {
  name: string;
  log: ChildLog;
  launch: () => RunningChild | Promise<RunningChild>;
  /** Maximum time from launch to readiness, in milliseconds. */
  readyWithinMs?: number;
}

export interface SupervisorOptions {
  /** Called once, with a message, when a unit is given up. */
  onGiveUp: (reason: CommandError) => void;
  /** Receives a message on each event, for the person who watches. */
  onNotice: (line: string) => void;
  /** Number of consecutive deaths of a unit, each within `fastMs` of its launch, after which it is given up. */
  fastDeaths?: number;
  fastMs?: number;
  backOffMs?: (death: number) => number;
}

/** Unit under supervision. */
export interface Supervision {
  readonly name: string;
  /** Process ID, if it is running. */
  readonly pid: number | undefined;
  /** Starts it unless it runs, and waits until it is ready. */
  start: () => Promise<void>;
  /** Waits until it is ready, across any number of restarts. */
  ready: () => Promise<void>;
  /** Stops it and leaves it stopped. */
  stop: (how?: NodeJS.Signals) => Promise<void>;
  /** Kills it. The supervisor restarts it as after any other death, unless it is to be held down. */
  kill: (name?: NodeJS.Signals, options?: { hold?: boolean }) => Promise<void>;
  /** Starts a new process and waits until it is ready: at once if it is down, after a stop if it runs. */
  restart: () => Promise<void>;
}

/** Readiness of a unit, and the callers waiting for it. */
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

  /** Returns true if the unit was ready. */
  lost(): boolean {
    const was = this.#isReady;
    this.#isReady = false;
    return was;
  }

  /** Rejects all waiting callers. */
  fail(reason: Error): void {
    for (const { reject } of this.#waiting) reject(reason);
    this.#waiting.clear();
  }
}

/** Waits until a process has ended. A process that is not ready in time is ended. */
async function untilExit(unit: SupervisedUnit, running: RunningChild, onReady: () => void): Promise<ProcessExit> {
  const late = setTimeout(() => {
    unit.log.appendNotice(`was not ready in time and is killed`);
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

function givenUpBecause({ name, log }: SupervisedUnit, ending: ProcessExit, deaths: number): string {
  const last = log.lastLines(6).map((line) => `\n    ${line}`);
  const times = deaths === 1 ? 'could not start' : `ended ${String(deaths)} times in a row`;
  return `${name} ${times} (${describeProcessExit(ending)}) and is not restarted; its last lines were:${last.join('') || '\n    (none)'}`;
}

/** Keeps a unit running: launches it, checks readiness, restarts it with back-off, and finally gives up. */
export function superviseUnit(unit: SupervisedUnit, options: SupervisorOptions): Supervision {
  const fastDeaths = options.fastDeaths ?? 5;
  const fastMs = options.fastMs ?? 10_000;
  const backOffMs = options.backOffMs ?? ((death) => Math.min(250 * 2 ** (death - 1), 8000));
  // A period from a start to its stop; a new start does not revive the one being stopped.
  let stretch = { wanted: false };
  let child: RunningChild | undefined;
  let loop: Promise<void> | undefined;
  let wakeUp = new AbortController();
  let givenUp: CommandError | undefined;
  const readiness = new Readiness();

  async function keepRunning(mine: { wanted: boolean }): Promise<void> {
    let deathsInARow = 0;
    while (mine.wanted) {
      const launchedAt = performance.now();
      const running = await unit.launch();
      child = running;
      // The unit was stopped during its launch, so nobody else knows this process yet.
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
      // A process that was never ready gives no reason for another attempt.
      const fast = !wasReady || performance.now() - launchedAt < fastMs;
      deathsInARow = fast ? deathsInARow + 1 : 1;
      if (deathsInARow >= fastDeaths || ending.code === wrongConfiguration) {
        refuse(givenUpBecause(unit, ending, deathsInARow));
        break;
      }
      const pause = backOffMs(deathsInARow);
      options.onNotice(
        `${unit.name} ended (${describeProcessExit(ending)}) and restarts in ${(pause / 1000).toFixed(2)} s.`,
      );
      wakeUp = new AbortController();
      await sleep(pause, undefined, { signal: wakeUp.signal }).catch(() => undefined);
    }
  }

  function refuse(sentence: string): void {
    stretch.wanted = false;
    givenUp = new CommandError(sentence);
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
        refuse(`${unit.name} could not be launched (${describeFailure(error)}).`);
      });
    } else {
      // The supervisor may be waiting between two attempts.
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
