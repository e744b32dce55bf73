import type { Clock } from '@nolo/kit/clock';
import type { PeriodicTask } from '@nolo/kit/repeat';
import { limits } from '@nolo/rules';
import type { InvitationStore } from '../domain/invitation.ts';

const invitationsAtOnce = 100;
/** Maximum statements per run; the rest waits for the next run. */
const maxStepsPerRun = 50;
const dayMs = 86_400_000;

export interface EndAgedInvitationsOptions {
  invitations: Pick<InvitationStore, 'endAged'>;
  clock: Clock;
  /** Called when people have to be notified of ended invitations. */
  wake: () => void;
}

/** Ends unanswered invitations after a while, and deletes records of declined ones. */
export function endAgedInvitations({ invitations, clock, wake }: EndAgedInvitationsOptions): PeriodicTask {
  return {
    name: 'aged invitations',
    everyMs: 600_000,
    async run() {
      const before = new Date(clock.now().getTime() - limits.groupInvitationDays * dayMs);
      for (let steps = 0; steps < maxStepsPerRun; steps += 1) {
        const ended = await invitations.endAged(before, invitationsAtOnce);
        if (ended > 0) wake();
        if (ended < invitationsAtOnce) return;
      }
    },
  };
}
