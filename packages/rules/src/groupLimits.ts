/** Of `limits` what concerns groups. */
export const groupLimits = {
  groupNameLength: 100,
  groupDescriptionLength: 1_000,
  /** Spec section 9. */
  groupMembersMin: 2,
  groupMembersMax: 500,
  groupMembersDefault: 100,
  groupsPerPage: 100,
  /** Groups that one account is in. */
  groupsPerUser: 2_000,
  /** People added to a group in one request; a new one may begin with as many as it holds. */
  groupMembersPerRequest: 100,
  groupMembersPerPage: 100,
  /** People who wait to be let into one group. */
  groupRequests: 500,
  /** People who are invited to one group, groups that one person is invited to, and days until an invitation ends. */
  groupInvitations: 500,
  groupInvitationsPerUser: 100,
  groupInvitationDays: 30,
  groupBansPerPage: 100,
  /** Join requests of one account that are shown to it at a time. */
  ownJoinRequests: 100,
  /** In larger groups a line and a badge show that a call is in progress, and nothing rings (decision 52). */
  groupCallRingMembers: 32,
  /** Hours for which a group shows a call as in progress at most, in case nobody reports the end of it. */
  groupCallShownHours: 24,
} as const;
