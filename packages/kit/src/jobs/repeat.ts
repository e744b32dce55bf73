import type { Redis } from 'ioredis';
import type { Clock } from '../clock.ts';
import type { Log } from '../telemetry/log.ts';
import { withoutSpan } from '../telemetry/tracing.ts';

/** Recurring task that several replicas may run at once without harm. */
export interface PeriodicTask {
  readonly name: string;
  /** Maximum interval between runs. Work that becomes due sooner after it is known is late by the difference. */
  readonly everyMs: number;
  /**
   * Pause after a run that found nothing to look after. Default: `everyMs`. Work that began in a replica which died
   * before its run is late by this much; other replicas call `endQuietPeriod`.
   */
  readonly quietMs?: number;
  /** True to run in every replica, for state local to the process, or tasks cheaper than taking turns. */
  readonly everywhere?: boolean;
  /**
   * Does the due work. Returns the time of the next due work if known, at which it then runs regardless of the
   * interval. `nothing`: no work exists that could become due, until something new begins.
   */
  run(): Promise<Date | 'nothing' | undefined | void>;
}

export interface PeriodicTaskHandle {
  /** Schedules a run in this replica at that time, regardless of turns. */
  at(due: Date): void;
  /** Ends a quiet period in this replica, because new work begins. */
  endQuietPeriod(): void;
}

export interface TaskRepeater {
  add(task: PeriodicTask): PeriodicTaskHandle;
  /** Waits for runs in progress. Idempotent. */
  stop(): Promise<void>;
}

export interface TaskRepeaterOptions {
  /** Undefined: every replica runs all tasks. */
  redis: Redis | undefined;
  /** Name of the service; its replicas share turns. */
  service: string;
  clock: Clock;
  log: Log;
  /** Maximum wait of any task, for tests whose clock jumps without timers noticing. */
  longestMs?: number | undefined;
}

/** Minimum pause after a run that leaves due work, because there was too much or it cannot be done. */
const breathMs = 1_000;

/**
 * Creates recurring tasks. One replica runs a task at a time, by a Redis key that lasts nearly as long as the interval;
 * if Redis is empty or down, more replicas run it. Between runs, a timer is set for the next due work, so the interval
 * only determines how soon work without a timer is noticed.
 */
export function createTaskRepeater(options: TaskRepeaterOptions): TaskRepeater {
  const { redis, service, clock, log, longestMs = Number.POSITIVE_INFINITY } = options;
  const ends: (() => Promise<void>)[] = [];
  /** Functions that each run a task now if it is quiet and would run soon anyway. */
  const takeAlong = new Set<() => void>();

  const isMyTurn = async ({ name, everywhere }: PeriodicTask, everyMs: number): Promise<boolean> => {
    if (everywhere || !redis) return true;
    try {
      const key = `repeat:${service}:${name.replaceAll(' ', '-')}`;
      return (await redis.set(key, '1', 'PX', Math.ceil(everyMs * 0.9), 'NX')) === 'OK';
    } catch {
      return true;
    }
  };

  const add = (task: PeriodicTask): PeriodicTaskHandle => {
    const everyMs = Math.min(task.everyMs, longestMs);
    const quietMs = Math.min(task.quietMs ?? everyMs, longestMs);
    let running: Promise<void> | undefined;
    let timer: { at: number; handle: NodeJS.Timeout } | undefined;
    let failing = false;
    let stopped = false;
    let isQuiet = false;
    let pace: NodeJS.Timeout | undefined;
    let paceAt = 0;

    const clear = () => {
      clearTimeout(timer?.handle);
      timer = undefined;
    };

    /** Sets the timer to the earliest requested time; each run requests the next. */
    const arm = (ms: number) => {
      const at = performance.now() + ms;
      if (stopped || (timer && timer.at <= at)) return;
      clear();
      timer = { at, handle: setTimeout(poll, ms).unref() };
    };

    const run = async () => {
      try {
        const found = await task.run();
        isQuiet = found === 'nothing';
        if (isQuiet) rest(quietMs);
        const next = found === 'nothing' ? undefined : found;
        // Work that is due after the next turn is found by the replica that has it.
        const ms = next ? next.getTime() - clock.now().getTime() : Number.POSITIVE_INFINITY;
        if (ms <= everyMs) arm(ms > 0 ? ms : Math.min(breathMs, everyMs));
        if (failing) log.info({ task: task.name }, 'task recovered');
        failing = false;
      } catch (error) {
        // A single log entry for each outage.
        if (!failing) log.warn({ err: error, task: task.name }, 'task failed; retrying');
        failing = true;
      }
    };

    const poll = () => {
      clear();
      // Work that came up during a run is handled after it.
      if (running) void running.then(() => arm(0));
      else running = run().finally(() => (running = undefined));
    };

    const rest = (ms: number) => {
      clearTimeout(pace);
      paceAt = performance.now() + ms;
      if (!stopped) pace = withoutSpan(() => setTimeout(wake, ms)).unref();
    };

    const comeAlong = () => {
      if (isQuiet && !stopped && paceAt - performance.now() <= quietMs / 2) void turn();
    };

    /**
     * Starts a turn. Waking costs an idle process more than polling, so quiet tasks align with each other, each earlier
     * than necessary.
     */
    const wake = () => {
      const wasQuiet = isQuiet;
      void turn();
      if (wasQuiet) for (const come of takeAlong) if (come !== comeAlong) come();
    };

    const turn = async () => {
      rest(everyMs);
      if ((await isMyTurn(task, everyMs)) && !stopped) running ??= run().finally(() => (running = undefined));
    };

    const endQuietPeriod = () => {
      if (!isQuiet) return;
      isQuiet = false;
      rest(everyMs);
    };

    rest(everyMs);
    takeAlong.add(comeAlong);
    ends.push(async () => {
      stopped = true;
      clearTimeout(pace);
      clear();
      await running;
    });
    return {
      at(due) {
        endQuietPeriod();
        withoutSpan(() => arm(Math.max(0, due.getTime() - clock.now().getTime())));
      },
      endQuietPeriod,
    };
  };

  let stopping: Promise<unknown> | undefined;
  return {
    add,
    async stop() {
      await (stopping ??= Promise.all(ends.map((end) => end())));
    },
  };
}
