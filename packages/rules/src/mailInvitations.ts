/** Invitations by mail to an account: for how long one is good, how many wait at most, and how many at a time and on a page. */
export const mailInvitationLimits = { days: 14, waiting: 1_000, atOnce: 50, perPage: 100 } as const;
