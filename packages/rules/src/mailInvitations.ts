/** Email invitations to create an account: days of validity, maximum pending, and numbers per request and per page. */
export const mailInvitationLimits = { days: 14, waiting: 1_000, atOnce: 50, perPage: 100 } as const;
