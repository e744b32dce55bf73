import type { Clock } from '@nolo/kit/clock';
import type { Task } from '@nolo/kit/repeat';
import { limits } from '@nolo/rules';
import type { InvitationStore } from '../domain/invitation.ts';

const invitationsAtOnce = 100;
/** Statements of one turn: what is left goes with the next. */
const mostSteps = 50;
const dayMs = 86_400_000;

export interface EndInvitationsOptions {
  invitations: Pick<InvitationStore, 'endAged'>;
  clock: Clock;
  /** People are to be told of what ended. */
  wake: () => void;
}

/** Invitations that nobody answered end after a while, and with them that somebody declined. */
export function endInvitations({ invitations, clock, wake }: EndInvitationsOptions): Task {
  return {
    name: 'aged invitations',
    everyMs: 600_000,
    async run() {
      const before = new Date(clock.now().getTime() - limits.groupInvitationDays * dayMs);
      for (let steps = 0; steps < mostSteps; steps += 1) {
        const ended = await invitations.endAged(before, invitationsAtOnce);
        if (ended > 0) wake();
        if (ended < invitationsAtOnce) return;
      }
    },
  };
}
