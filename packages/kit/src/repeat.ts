import type { Redis } from 'ioredis';
import type { Clock } from './clock.ts';
import type { Log } from './log.ts';
import { untraced } from './tracing.ts';

/** Something that is looked after again and again, and that may be done by several at once without harm. */
export interface Task {
  readonly name: string;
  /** The longest time between two looks. What is due sooner after it is known than this is seen late by the difference. */
  readonly everyMs: number;
  /**
   * The pause after a look that found nothing at all to look after; `everyMs` unless told. So late is what began in a
   * replica that died before it looked; the others are told by `stir`.
   */
  readonly quietMs?: number;
  /** Looks in every replica, for what lies in the process or costs no more than finding out whose turn it is. */
  readonly everywhere?: boolean;
  /**
   * Does what is due, and answers when the next thing is, where it knows: then it is done at that time and not by pace.
   * `nothing` says that there is nothing that could ever become due, until something new begins.
   */
  run(): Promise<Date | 'nothing' | undefined | void>;
}

export interface Repeating {
  /** Something is due then: this replica looks at that time, whoever's turn it is. */
  at(due: Date): void;
  /** Something begins here: where this replica found nothing to look after, it looks at its usual pace again. */
  stir(): void;
}

export interface Repeats {
  add(task: Task): Repeating;
  /** Waits for what is under way. Idempotent. */
  stop(): Promise<void>;
}

export interface RepeatOptions {
  /** A service without Redis has tasks that are done everywhere. */
  redis: Redis | undefined;
  /** Replicas of one service share their turns. */
  service: string;
  clock: Clock;
  log: Log;
  /** For tests whose clock jumps, of which no timer knows: no task waits longer. */
  longestMs?: number | undefined;
}

/** What stays due after a look, because there was too much of it or it cannot be done, is not looked at without end. */
const breathMs = 1_000;

/**
 * Sweeps. Of all replicas one looks at a time, by a key in Redis that lasts nearly as long as the pause; a Redis that is
 * empty or away lets more of them look. In between a timer is set for what is due next, so the pause decides only how long
 * it takes to see what nobody set a timer for.
 */
export function createRepeats(options: RepeatOptions): Repeats {
  const { redis, service, clock, log, longestMs = Number.POSITIVE_INFINITY } = options;
  const ends: (() => Promise<void>)[] = [];
  /** Of each task: has it looked now if it is quiet and would before long. */
  const takeAlong = new Set<() => void>();

  const isMyTurn = async ({ name, everywhere }: Task, everyMs: number): Promise<boolean> => {
    if (everywhere || !redis) return true;
    try {
      const key = `repeat:${service}:${name.replaceAll(' ', '-')}`;
      return (await redis.set(key, '1', 'PX', Math.ceil(everyMs * 0.9), 'NX')) === 'OK';
    } catch {
      return true;
    }
  };

  const add = (task: Task): Repeating => {
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

    /** Of all times that are asked for the first one holds; each look asks for the next. */
    const arm = (ms: number) => {
      const at = performance.now() + ms;
      if (stopped || (timer && timer.at <= at)) return;
      clear();
      timer = { at, handle: setTimeout(look, ms).unref() };
    };

    const run = async () => {
      try {
        const found = await task.run();
        isQuiet = found === 'nothing';
        if (isQuiet) rest(quietMs);
        const next = found === 'nothing' ? undefined : found;
        // What is due later than the next turn is found by whoever has that.
        const ms = next ? next.getTime() - clock.now().getTime() : Number.POSITIVE_INFINITY;
        if (ms <= everyMs) arm(ms > 0 ? ms : Math.min(breathMs, everyMs));
        if (failing) log.info({ task: task.name }, 'a task works again');
        failing = false;
      } catch (error) {
        // One line for each outage.
        if (!failing) log.warn({ err: error, task: task.name }, 'a task failed; it is tried again');
        failing = true;
      }
    };

    const look = () => {
      clear();
      // What came up during a look is looked at after it.
      if (running) void running.then(() => arm(0));
      else running = run().finally(() => (running = undefined));
    };

    const rest = (ms: number) => {
      clearTimeout(pace);
      paceAt = performance.now() + ms;
      if (!stopped) pace = untraced(() => setTimeout(wake, ms)).unref();
    };

    const comeAlong = () => {
      if (isQuiet && !stopped && paceAt - performance.now() <= quietMs / 2) void turn();
    };

    /** Waking costs an idle process more than looking: quiet tasks fall into step with each other, each sooner than it must. */
    const wake = () => {
      const wasQuiet = isQuiet;
      void turn();
      if (wasQuiet) for (const come of takeAlong) if (come !== comeAlong) come();
    };

    const turn = async () => {
      rest(everyMs);
      if ((await isMyTurn(task, everyMs)) && !stopped) running ??= run().finally(() => (running = undefined));
    };

    const stir = () => {
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
        stir();
        untraced(() => arm(Math.max(0, due.getTime() - clock.now().getTime())));
      },
      stir,
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
