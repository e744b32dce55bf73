import type { Clock } from '@nolo/kit/clock';
import type { ConversationId } from '@nolo/kit/ids';
import type { Task } from '@nolo/kit/repeat';
import type { RetentionStore } from '../domain/ports.ts';

/** Messages of one transaction: short, since it holds their conversation. */
const messagesAtOnce = 200;
/** Transactions of one turn: what is left goes with the next. */
const mostSteps = 1_000;
const conversationsAtOnce = 500;
const dayMs = 86_400_000;

export interface AgedOptions {
  retention: Pick<RetentionStore, 'aged' | 'eraseAged'>;
  /** For how many days they are kept now; undefined where nobody deletes them. Throws where that is not known yet. */
  days: () => number | undefined;
  clock: Clock;
  /** People are to be told of what went. */
  wake: () => void;
  onErased: (count: number) => void;
}

/** While an installation keeps messages for so many days: erases what is older, as what disappears is. */
export function eraseAged({ retention, days, clock, wake, onErased }: AgedOptions): Task {
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
          while (!done && steps < mostSteps) {
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
      } while (after !== undefined && steps < mostSteps);
    },
  };
}
