import type { FaultStack } from '../../support/faultStack.ts';
import { describeFault, schedule, type Fault, type Pace } from './schedule.ts';

export interface Injector {
  /** How many of each there were, as "kill chat" or "freeze redis". */
  readonly count: Record<string, number>;
  /** What is broken just now. */
  readonly now: readonly string[];
  /** Everything that happened, as "seconds fault". */
  readonly log: readonly string[];
  begin(): void;
  /** Lets the fault under way come to its end and begins no other; resolves once all is whole. */
  pause(): Promise<void>;
}

/** Breaks things as the schedule of the seed says. */
export function createInjector(stack: FaultStack, seed: number, pace: Pace): Injector {
  const steps = schedule(seed, pace);
  const count: Record<string, number> = {};
  const now = new Set<string>();
  const log: string[] = [];
  const began = performance.now();
  let running: Promise<void> | undefined;
  let wake = new AbortController();

  const wait = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      wake.signal.addEventListener('abort', () => {
        clearTimeout(timer);
        resolve();
      });
    });

  const inflict = async (fault: Fault): Promise<void> => {
    switch (fault.kind) {
      case 'kill':
        return await stack.takeDown(fault.target);
      case 'empty':
        return await stack.emptyRedis();
      case 'reset':
        return stack.line(fault.target).reset(fault.share);
      case 'cut':
        return stack.line(fault.target).cut();
      case 'freeze':
        return stack.line(fault.target).freeze(fault.direction);
      case 'slow':
        return stack.line(fault.target).slow(fault);
    }
  };

  const takeBack = async (fault: Fault): Promise<void> => {
    if (fault.kind === 'kill') return await stack.bringBack(fault.target);
    if (fault.kind === 'empty') return;
    const line = stack.line(fault.target);
    if (fault.kind === 'freeze' && !fault.arrives) line.reset();
    line.mend();
  };

  const strike = async (fault: Fault): Promise<void> => {
    const what = describeFault(fault);
    const kind = `${fault.kind} ${fault.target}`;
    count[kind] = (count[kind] ?? 0) + 1;
    log.push(`${((performance.now() - began) / 1000).toFixed(1)} ${what}`);
    now.add(what);
    await inflict(fault);
    await wait(fault.ms);
    await takeBack(fault);
    now.delete(what);
  };

  const run = async (): Promise<void> => {
    const { signal } = wake;
    while (!signal.aborted) {
      const { value } = steps.next();
      if (!value) return;
      await wait(value.calmMs);
      if (signal.aborted) return;
      await Promise.all(value.faults.map(strike));
    }
  };

  return {
    count,
    get now() {
      return [...now];
    },
    log,
    begin() {
      if (running) return;
      wake = new AbortController();
      running = run();
      // Whoever pauses is told; until then its failure must not pass for an unheeded one.
      running.catch(() => undefined);
    },
    async pause() {
      wake.abort();
      await running;
      running = undefined;
    },
  };
}
