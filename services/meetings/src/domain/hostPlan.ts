import type { UserId } from '@nolo/kit/ids';
import type { MeetingAllowance } from '@nolo/rules';
import type { Meeting } from './meeting.ts';

/** Returns whose plan applies to a meeting: the host's or, in a group's room, that of the person who started it. */
export function findPlanHolder(meeting: Pick<Meeting, 'groupId' | 'hostId' | 'startedBy'>): UserId {
  return meeting.groupId === null ? meeting.hostId : (meeting.startedBy ?? meeting.hostId);
}

type Planned = Pick<Meeting, 'maxParticipants' | 'planMinutes'>;

/** Returns the limits that a new meeting gets from the plan. */
export function applyPlan(
  { requestedParticipants }: Pick<Meeting, 'requestedParticipants'>,
  plan: MeetingAllowance,
): Planned {
  return { maxParticipants: Math.min(requestedParticipants, plan.participants), planMinutes: plan.minutes };
}

type Timed = Planned & Pick<Meeting, 'requestedParticipants' | 'startedAt' | 'endsAt'>;

/**
 * Returns how a plan changes a meeting in progress: increases apply at once, decreases only to the next meeting.
 * Undefined if nothing changes.
 */
export function raiseLimitsByPlan(
  meeting: Timed,
  plan: MeetingAllowance,
): (Planned & Pick<Meeting, 'endsAt'>) | undefined {
  const now = applyPlan(meeting, plan);
  const maxParticipants = Math.max(meeting.maxParticipants, now.maxParticipants);
  const planMinutes = longer(meeting.planMinutes, now.planMinutes);
  const { startedAt, endsAt } = meeting;
  if (maxParticipants === meeting.maxParticipants && planMinutes === meeting.planMinutes) return undefined;
  return { maxParticipants, planMinutes, endsAt: endsAt && computeLaterEnd(startedAt ?? endsAt, endsAt, planMinutes) };
}

const longer = (one: number | null, other: number | null) =>
  one === null || other === null ? null : Math.max(one, other);

/** Returns the new end of something that the previous plan would have ended earlier. Null if it no longer ends. */
export function computeLaterEnd(startedAt: Date, endsAt: Date, planMinutes: number | null): Date | null {
  if (planMinutes === null) return null;
  return new Date(Math.max(endsAt.getTime(), startedAt.getTime() + planMinutes * 60_000));
}
