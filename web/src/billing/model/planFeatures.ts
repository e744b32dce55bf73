import { allowanceOf, type PlanId } from '@nolo/rules';
import type { FeatureFlags } from '../../session/features.ts';

const gigabyte = 2 ** 30;

/** Text of one feature of a plan; `count` is the number in it. */
export interface PlanFeature {
  readonly name: FeatureName;
  readonly count?: number;
  /** True if not available yet, and labeled so instead of sold (decision 33). */
  readonly planned?: true;
}

type FeatureName =
  | 'chatsAndCalls'
  | 'groupCalls'
  | 'meetingMinutes'
  | 'meetingsWithoutLimit'
  | 'platforms'
  | 'platformsWithoutLimit'
  | 'scheduledPosts'
  | 'scheduledPostsWithoutLimit'
  | 'transcription'
  | 'storage'
  | 'storageEach'
  | 'team'
  | 'aiMinutes'
  | 'prioritySupport'
  | 'brandedRooms'
  | 'customDomain'
  | 'analytics'
  | 'crm'
  | 'compliance'
  | 'apiAccess'
  | 'allDaySupport';

/** Planned features (spec section 6), listed after the available ones. */
const planned: Readonly<Record<PlanId, readonly FeatureName[]>> = {
  free: [],
  plus: ['aiMinutes', 'prioritySupport'],
  business: ['customDomain', 'analytics', 'crm', 'compliance', 'allDaySupport'],
};

/** Lists a plan's features with the server's numbers, without those that this installation lacks. */
export function listPlanFeatures(plan: PlanId, exist: FeatureFlags): readonly PlanFeature[] {
  const allowed = allowanceOf(plan);
  const upTo = (name: FeatureName, without: FeatureName, limit: number | null): PlanFeature =>
    limit === null ? { name: without } : { name, count: limit };
  const social = exist['social'] === true;
  const found: (PlanFeature | false)[] = [
    plan === 'free' && { name: 'chatsAndCalls' },
    { name: 'groupCalls', count: allowed.participants ?? 0 },
    plan !== 'business' && upTo('meetingMinutes', 'meetingsWithoutLimit', allowed.meetingMinutes),
    social && upTo('platforms', 'platformsWithoutLimit', allowed.platforms),
    plan === 'business' && { name: 'team' },
    social && upTo('scheduledPosts', 'scheduledPostsWithoutLimit', allowed.scheduledPosts),
    {
      name: plan === 'business' ? 'storageEach' : 'storage',
      count: (allowed.storageBytes ?? 0) / gigabyte,
    },
    exist['transcription'] === true && {
      name: 'transcription',
      count: (allowed.transcriptionSeconds ?? 0) / 60,
    },
    exist['meetings'] === true && allowed.branding !== 0 && { name: 'brandedRooms' },
    allowed.apiAccess !== 0 && { name: 'apiAccess' },
  ];
  return [
    ...found.filter((one): one is PlanFeature => one !== false),
    ...planned[plan].map((name): PlanFeature => ({ name, planned: true })),
  ];
}

/** Number of features shown on a card initially (spec section 2). */
export const initialFeatureCount = 4;
