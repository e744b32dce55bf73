import type { UserId } from '@nolo/kit/ids';
import type { MeetingAllowance } from '@nolo/rules';
import type { Meeting } from './meeting.ts';

/** Whose plan holds for a meeting: its host's, and in the room of a group that of whoever began. */
export function planHolderOf(meeting: Pick<Meeting, 'groupId' | 'hostId' | 'startedBy'>): UserId {
  return meeting.groupId === null ? meeting.hostId : (meeting.startedBy ?? meeting.hostId);
}

type Planned = Pick<Meeting, 'maxParticipants' | 'planMinutes'>;

/** What a meeting begins with. */
export function underPlan({ askedParticipants }: Pick<Meeting, 'askedParticipants'>, plan: MeetingAllowance): Planned {
  return { maxParticipants: Math.min(askedParticipants, plan.participants), planMinutes: plan.minutes };
}

type Timed = Planned & Pick<Meeting, 'askedParticipants' | 'startedAt' | 'endsAt'>;

/**
 * What a plan changes of a meeting that goes on: it gives more at once, and takes nothing before the next meeting.
 * Undefined where it changes nothing.
 */
export function raisedBy(meeting: Timed, plan: MeetingAllowance): (Planned & Pick<Meeting, 'endsAt'>) | undefined {
  const now = underPlan(meeting, plan);
  const maxParticipants = Math.max(meeting.maxParticipants, now.maxParticipants);
  const planMinutes = longer(meeting.planMinutes, now.planMinutes);
  const { startedAt, endsAt } = meeting;
  if (maxParticipants === meeting.maxParticipants && planMinutes === meeting.planMinutes) return undefined;
  return { maxParticipants, planMinutes, endsAt: endsAt && laterEnd(startedAt ?? endsAt, endsAt, planMinutes) };
}

const longer = (one: number | null, other: number | null) =>
  one === null || other === null ? null : Math.max(one, other);

/** When something ends that was to end earlier by the plan of before; null where it no longer does. */
export function laterEnd(startedAt: Date, endsAt: Date, planMinutes: number | null): Date | null {
  if (planMinutes === null) return null;
  return new Date(Math.max(endsAt.getTime(), startedAt.getTime() + planMinutes * 60_000));
}
