import type { Clock } from '@nolo/kit/clock';
import type { ConversationId } from '@nolo/kit/ids';
import type { PeriodicTask } from '@nolo/kit/repeat';
import type { RetentionStore } from '../domain/ports.ts';

/** Messages per transaction: few, because it locks their conversation. */
const messagesAtOnce = 200;
/** Maximum transactions per run; the rest waits for the next run. */
const maxStepsPerRun = 1_000;
const conversationsAtOnce = 500;
const dayMs = 86_400_000;

export interface EraseAgedMessagesOptions {
  retention: Pick<RetentionStore, 'aged' | 'eraseAged'>;
  /** Current retention in days. Undefined if messages are kept forever. Throws if it is not known yet. */
  days: () => number | undefined;
  clock: Clock;
  /** Called when people have to be notified of erased messages. */
  wake: () => void;
  onErased: (count: number) => void;
}

/** Erases messages older than the installation's retention, like disappearing ones. */
export function eraseAgedMessages({ retention, days, clock, wake, onErased }: EraseAgedMessagesOptions): PeriodicTask {
  return {
    name: 'aged messages',
    everyMs: 600_000,
    async run() {
      const at = clock.now();
      const keptDays = days();
      if (keptDays === undefined) return;
      const before = new Date(at.getTime() - keptDays * dayMs);
      let steps = 0;
      let after: ConversationId | undefined;
      do {
        const page = await retention.aged(before, conversationsAtOnce, after);
        for (const id of page.ids) {
          let done = false;
          while (!done && steps < maxStepsPerRun) {
            steps += 1;
            const step = await retention.eraseAged(id, before, at, messagesAtOnce);
            done = step.done;
            if (step.erased > 0) {
              onErased(step.erased);
              wake();
            }
          }
        }
        after = page.last;
      } while (after !== undefined && steps < maxStepsPerRun);
    },
  };
}
