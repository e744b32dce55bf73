/** Subset of `limits` for groups. */
export const groupLimits = {
  groupNameLength: 100,
  groupDescriptionLength: 1_000,
  /** Spec section 9. */
  groupMembersMin: 2,
  groupMembersMax: 500,
  groupMembersDefault: 100,
  groupsPerPage: 100,
  /** Maximum groups per account. */
  groupsPerUser: 2_000,
  /** Maximum people added to a group in one request; a new group may begin with up to its maximum. */
  groupMembersPerRequest: 100,
  groupMembersPerPage: 100,
  /** Maximum pending join requests per group. */
  groupRequests: 500,
  /** Maximum invited people per group, maximum invitations per user, and days until an invitation expires. */
  groupInvitations: 500,
  groupInvitationsPerUser: 100,
  groupInvitationDays: 30,
  groupBansPerPage: 100,
  /** Maximum join requests that an account sees of its own. */
  ownJoinRequests: 100,
  /** Maximum members for ringing. Larger groups show a call in progress only as a line and a badge (decision 52). */
  groupCallRingMembers: 32,
  /** Maximum hours for which a group shows a call as in progress, in case its end is never reported. */
  groupCallShownHours: 24,
} as const;
