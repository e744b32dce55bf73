import { meetingAllowances, planIds, storageBytes, transcriptionMinutes, type PlanId } from './plans.ts';
import type { AddOnId } from './prices.ts';

/** The one table of what plans allow (spec section 6, decision 27), and of what lifts a limit. */

/** What is limited. Those of `monthly` start again with each calendar month in the person's time zone. */
export const limitedFeatures = [
  /** People in one call or meeting. */
  'participants',
  /** Minutes of a meeting of three or more. */
  'meetingMinutes',
  /** Social platforms that are connected at a time. */
  'platforms',
  /** Posts that are scheduled in a month. */
  'scheduledPosts',
  /** Seconds of voice notes that are transcribed in a month. */
  'transcriptionSeconds',
  /** Bytes of files that are kept: uploads, statuses, recordings. */
  'storageBytes',
  /** Rooms that carry a name, a colour and a logo: 0 where they do not. */
  'branding',
  /** Access tokens and webhooks: 0 where there are none. */
  'apiAccess',
] as const;
export type LimitedFeature = (typeof limitedFeatures)[number];

/** null is without a limit. */
export type Allowance = Readonly<Record<LimitedFeature, number | null>>;

const platforms: Readonly<Record<PlanId, number | null>> = { free: 1, plus: 3, business: null };
const scheduledPosts: Readonly<Record<PlanId, number | null>> = { free: 3, plus: 30, business: null };
/** What a plan has or has not, without counting. */
const businessOnly: Readonly<Record<PlanId, number | null>> = { free: 0, plus: 0, business: null };

/** What one add-on adds. */
export const addOnAmounts = {
  storage: { feature: 'storageBytes', amount: 20 * 2 ** 30 },
  transcription: { feature: 'transcriptionSeconds', amount: 100 * 3_600 },
} as const satisfies Readonly<Record<AddOnId, { feature: LimitedFeature; amount: number }>>;

/** What everyone has where there is no billing. */
export const everythingAllowed: Allowance = {
  participants: meetingAllowances.business.participants,
  meetingMinutes: null,
  platforms: null,
  scheduledPosts: null,
  transcriptionSeconds: null,
  storageBytes: null,
  branding: null,
  apiAccess: null,
};

/** @param addOns how many of each are running */
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

/** What lifts a limit: the plans that allow more than this much, cheapest first, and the add-on, where there is one. */
export interface Lift {
  readonly plans: readonly PlanId[];
  readonly addOn: AddOnId | null;
}

export function whatLifts(feature: LimitedFeature, limit: number): Lift {
  const plans = planIds.filter((plan) => {
    const allowed = allowanceOf(plan)[feature];
    return allowed === null || allowed > limit;
  });
  const addOn = feature === 'storageBytes' ? 'storage' : feature === 'transcriptionSeconds' ? 'transcription' : null;
  return { plans, addOn };
}

/** The details of every refusal with HTTP status 402, whichever service refuses. */
export interface LimitDetails extends Record<string, unknown> {
  readonly feature: LimitedFeature;
  /** What the plan allows, in the feature's unit. */
  readonly limit: number;
  /** What is used of it already, where that is counted. */
  readonly used: number | null;
  readonly liftedBy: readonly PlanId[];
  readonly addOn: AddOnId | null;
}

export function limitDetails(feature: LimitedFeature, limit: number, used: number | null = null): LimitDetails {
  const { plans, addOn } = whatLifts(feature, limit);
  return { feature, limit, used, liftedBy: plans, addOn };
}
