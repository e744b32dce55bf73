/** What is said of groups where none is open: in the list, in the sidebar and in a conversation. The rest is in enGroups.ts. */
export const enGroup = {
  create: 'Create Group',
  createChat: 'Create Group Chat',
  joinChat: 'Join Group Chat',
  newGroup: 'New group',
  someone: 'Someone',
  preview: '{{name}}: {{text}}',
  members_one: '{{count}} member',
  members_other: '{{count}} members',
  joinCall: 'Join call',
  whoInCall: 'Who is in the call',
  shareOf: 'Share {{name}}',
  toDecide_one: '{{count}} thing to decide about',
  toDecide_other: '{{count}} things to decide about',
  removed: 'You are no longer in {{name}}',
  notFoundText: 'It may have been closed, its code may have changed, or you are not in it any more.',
} as const;
