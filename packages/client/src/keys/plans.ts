import type { Timers } from '../ports.ts';

/** Timers by their purpose. What is planned already keeps its time. */
export interface Plans {
  plan(purpose: string, ms: number, task: () => void): void;
  cancelAll(): void;
}

/** Creates plans without any. */
export function createPlans(timers: Pick<Timers, 'after'>): Plans {
  const planned = new Map<string, () => void>();
  return {
    plan(purpose, ms, task) {
      if (planned.has(purpose)) return;
      const cancel = timers.after(ms, () => {
        planned.delete(purpose);
        task();
      });
      planned.set(purpose, cancel);
    },
    cancelAll() {
      for (const cancel of planned.values()) cancel();
      planned.clear();
    },
  };
}
