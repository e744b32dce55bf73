export const planIds = ['free', 'plus', 'business'] as const;
export type PlanId = (typeof planIds)[number];

/** Limits of a plan in calls and meetings (spec section 6; decisions 21 and 27). */
export interface MeetingAllowance {
  /** Participants in one call or meeting. */
  readonly participants: number;
  /** Minutes of a meeting of three or more; null means unlimited. */
  readonly minutes: number | null;
}

export const meetingAllowances: Readonly<Record<PlanId, MeetingAllowance>> = {
  free: { participants: 4, minutes: 40 },
  plus: { participants: 20, minutes: null },
  business: { participants: 100, minutes: null },
};

/** Minutes of voice notes that a plan transcribes per month and user (decision 28). */
export const transcriptionMinutes: Readonly<Record<PlanId, number>> = {
  free: 30,
  plus: 300,
  business: 1_200,
};

/** Bytes of files that a plan stores per user (spec section 6). */
export const storageBytes: Readonly<Record<PlanId, number>> = {
  free: 2_147_483_648,
  plus: 10_737_418_240,
  business: 53_687_091_200,
};
