/** What a plan allows in calls and meetings (spec section 6; decisions 21 and 27). */
export const planIds = ['free', 'plus', 'business'] as const;
export type PlanId = (typeof planIds)[number];

export interface MeetingAllowance {
  /** People in one call or meeting. */
  readonly participants: number;
  /** Minutes of a meeting of three or more; null without a limit. */
  readonly minutes: number | null;
}

export const meetingAllowances: Readonly<Record<PlanId, MeetingAllowance>> = {
  free: { participants: 4, minutes: 40 },
  plus: { participants: 20, minutes: null },
  business: { participants: 100, minutes: null },
};
