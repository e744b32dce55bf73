import type { FaultStack } from '../../support/stacks/faultStack.ts';
import { describeFault, createFaultSchedule, type ScheduledFault, type FaultPace } from './schedule.ts';

export interface FaultInjector {
  /** Number of faults by name, as "kill chat" or "freeze redis". */
  readonly count: Record<string, number>;
  /** Faults in progress. */
  readonly now: readonly string[];
  /** Log of all faults, as "seconds fault". */
  readonly log: readonly string[];
  begin(): void;
  /** Waits for the fault in progress to end and starts no other; resolves once everything is repaired. */
  pause(): Promise<void>;
}

/** Creates an injector that follows the schedule of the seed. */
export function createFaultInjector(stack: FaultStack, seed: number, pace: FaultPace): FaultInjector {
  const steps = createFaultSchedule(seed, pace);
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

  const inflict = async (fault: ScheduledFault): Promise<void> => {
    switch (fault.kind) {
      case 'kill':
        return await stack.takeDown(fault.target);
      case 'empty':
        return await stack.emptyRedis();
      case 'reset':
        return stack.proxy(fault.target).reset(fault.share);
      case 'cut':
        return stack.proxy(fault.target).cut();
      case 'freeze':
        return stack.proxy(fault.target).freeze(fault.direction);
      case 'slow':
        return stack.proxy(fault.target).slow(fault);
    }
  };

  const takeBack = async (fault: ScheduledFault): Promise<void> => {
    if (fault.kind === 'kill') return await stack.bringBack(fault.target);
    if (fault.kind === 'empty') return;
    const proxy = stack.proxy(fault.target);
    if (fault.kind === 'freeze' && !fault.arrives) proxy.reset();
    proxy.mend();
  };

  const strike = async (fault: ScheduledFault): Promise<void> => {
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
      // `pause` reports the failure; until then it must not become an unhandled rejection.
      running.catch(() => undefined);
    },
    async pause() {
      wake.abort();
      await running;
      running = undefined;
    },
  };
}
