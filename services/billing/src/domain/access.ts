import type { UserId } from '@nolo/kit/ids';
import { allowanceOf, limitedFeatures, type Allowance, type PlanId } from '@nolo/rules';
import { personalPlanAt, nextChangeTime, type PersonalPlan, type PlanTimeline } from './planTimeline.ts';

/** Seat in another person's Business plan. */
export interface TeamSeat {
  readonly ownerId: UserId;
  readonly timeline: PlanTimeline;
  /** Position of the seat, 2 for the first one after the owner. */
  readonly place: number;
}

/** Access of a person at a moment. */
export interface PlanAccess {
  readonly plan: PlanId;
  readonly source: PersonalPlan['source'] | 'seat';
  /** Owner of the team whose seat provides the plan. */
  readonly teamOwnerId: UserId | undefined;
  readonly personalPlan: PersonalPlan;
  readonly allowance: Allowance;
  /** Time when it changes by itself. */
  readonly validUntil: Date | undefined;
}

export function computePlanAccess(timeline: PlanTimeline, seat: TeamSeat | undefined, now: Date): PlanAccess {
  const at = now.getTime();
  const personalPlan = personalPlanAt(timeline, at);
  const ends = [nextChangeTime(timeline, at)];
  let { plan, source }: Pick<PlanAccess, 'plan' | 'source'> = personalPlan;
  let teamOwnerId: UserId | undefined;
  if (seat) {
    const team = personalPlanAt(seat.timeline, at);
    ends.push(nextChangeTime(seat.timeline, at));
    if (plan !== 'business' && team.plan === 'business' && seat.place <= team.seats) {
      plan = 'business';
      source = 'seat';
      teamOwnerId = seat.ownerId;
    }
  }
  const next = Math.min(...ends.map((end) => end ?? Infinity));
  return {
    plan,
    source,
    teamOwnerId,
    personalPlan,
    allowance: allowanceOf(plan, personalPlan.addOns),
    validUntil: Number.isFinite(next) ? new Date(next) : undefined,
  };
}

/** Returns one entry per feature, with the amount used if it is counted. */
export function listFeatureLimits(allowance: Allowance, used: ReadonlyMap<string, number>) {
  return limitedFeatures.map((feature) => {
    const isCounted = feature === 'scheduledPosts' || feature === 'transcriptionSeconds' || feature === 'storageBytes';
    return {
      feature,
      limit: allowance[feature] ?? undefined,
      used: isCounted ? (used.get(feature) ?? 0) : undefined,
    };
  });
}
