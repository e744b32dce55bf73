import { meetingAllowances, planIds, storageBytes, transcriptionMinutes, type PlanId } from './plans.ts';
import type { AddOnId } from './prices.ts';

/** The single table of what plans allow (spec section 6, decision 27), and of what lifts a limit. */

/** Limited features. Those in `monthlyFeatures` restart with each calendar month in the user's time zone. */
export const limitedFeatures = [
  /** Participants in one call or meeting. */
  'participants',
  /** Minutes of a meeting of three or more. */
  'meetingMinutes',
  /** Social platforms connected at a time. */
  'platforms',
  /** Posts scheduled per month. */
  'scheduledPosts',
  /** Seconds of voice notes transcribed per month. */
  'transcriptionSeconds',
  /** Bytes of stored files: uploads, statuses, recordings. */
  'storageBytes',
  /** Rooms with a custom name, color and logo: 0 if not allowed. */
  'branding',
  /** Access tokens and webhooks: 0 if not allowed. */
  'apiAccess',
] as const;
export type LimitedFeature = (typeof limitedFeatures)[number];

/** null means unlimited. */
export type Allowance = Readonly<Record<LimitedFeature, number | null>>;

const platforms: Readonly<Record<PlanId, number | null>> = { free: 1, plus: 3, business: null };
const scheduledPosts: Readonly<Record<PlanId, number | null>> = { free: 3, plus: 30, business: null };
/** Feature that a plan has or lacks, without counting. */
const businessOnly: Readonly<Record<PlanId, number | null>> = { free: 0, plus: 0, business: null };

/** Amount that one add-on adds. */
export const addOnAmounts = {
  storage: { feature: 'storageBytes', amount: 20 * 2 ** 30 },
  transcription: { feature: 'transcriptionSeconds', amount: 100 * 3_600 },
} as const satisfies Readonly<Record<AddOnId, { feature: LimitedFeature; amount: number }>>;

/** Allowance of everyone without billing. */
export const unlimitedAllowance: Allowance = {
  participants: meetingAllowances.business.participants,
  meetingMinutes: null,
  platforms: null,
  scheduledPosts: null,
  transcriptionSeconds: null,
  storageBytes: null,
  branding: null,
  apiAccess: null,
};

/** @param addOns number of each that is active */
export function allowanceOf(plan: PlanId, addOns: Readonly<Partial<Record<AddOnId, number>>> = {}): Allowance {
  const meeting = meetingAllowances[plan];
  return {
    participants: meeting.participants,
    meetingMinutes: meeting.minutes,
    platforms: platforms[plan],
    scheduledPosts: scheduledPosts[plan],
    transcriptionSeconds:
      transcriptionMinutes[plan] * 60 + (addOns.transcription ?? 0) * addOnAmounts.transcription.amount,
    storageBytes: storageBytes[plan] + (addOns.storage ?? 0) * addOnAmounts.storage.amount,
    branding: businessOnly[plan],
    apiAccess: businessOnly[plan],
  };
}

/** Ways to lift a limit: the plans that allow more, cheapest first, and the add-on, if any. */
export interface LimitUpgrades {
  readonly plans: readonly PlanId[];
  readonly addOn: AddOnId | null;
}

export function findLimitUpgrades(feature: LimitedFeature, limit: number): LimitUpgrades {
  const plans = planIds.filter((plan) => {
    const allowed = allowanceOf(plan)[feature];
    return allowed === null || allowed > limit;
  });
  const addOn = feature === 'storageBytes' ? 'storage' : feature === 'transcriptionSeconds' ? 'transcription' : null;
  return { plans, addOn };
}

/** Details of every refusal with HTTP status 402, from any service. */
export interface LimitDetails extends Record<string, unknown> {
  readonly feature: LimitedFeature;
  /** Limit of the plan, in the feature's unit. */
  readonly limit: number;
  /** Current usage, if counted. */
  readonly used: number | null;
  readonly liftedBy: readonly PlanId[];
  readonly addOn: AddOnId | null;
}

export function createLimitDetails(feature: LimitedFeature, limit: number, used: number | null = null): LimitDetails {
  const { plans, addOn } = findLimitUpgrades(feature, limit);
  return { feature, limit, used, liftedBy: plans, addOn };
}
