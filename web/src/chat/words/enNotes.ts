/** Texts of system messages. They load after the list that contains them. */
export const enNotes = {
  /** The user in a list of names. */
  youInList: 'you',
  others_one: '{{count}} other',
  others_other: '{{count}} others',
  group_created: { byYou: 'You created this group', other: '{{actor}} created this group' },
  member_joined: { byYou: 'You joined', other: '{{actor}} joined' },
  member_admitted: {
    byYou: 'You let {{person}} in',
    ofYou: '{{actor}} let you in',
    other: '{{actor}} let {{person}} in',
  },
  member_added: { byYou: 'You added {{people}}', other: '{{actor}} added {{people}}' },
  member_left: { byYou: 'You left', other: '{{actor}} left' },
  member_removed: {
    byYou: 'You removed {{person}}',
    ofYou: '{{actor}} removed you',
    other: '{{actor}} removed {{person}}',
  },
  member_banned: {
    byYou: 'You banned {{person}}',
    ofYou: '{{actor}} banned you',
    other: '{{actor}} banned {{person}}',
  },
  admin_made: {
    byYou: 'You made {{person}} an admin',
    ofYou: '{{actor}} made you an admin',
    other: '{{actor}} made {{person}} an admin',
  },
  admin_unmade: {
    byYou: 'You removed {{person}} as an admin',
    ofYou: '{{actor}} removed you as an admin',
    other: '{{actor}} removed {{person}} as an admin',
  },
  owner_changed: {
    byYou: 'You handed the group over to {{person}}',
    ofYou: '{{actor}} handed the group over to you',
    other: '{{actor}} handed the group over to {{person}}',
  },
  name_changed: { byYou: 'You named the group “{{name}}”', other: '{{actor}} named the group “{{name}}”' },
  description_changed: { byYou: 'You changed the description', other: '{{actor}} changed the description' },
  picture_changed: { byYou: 'You changed the picture', other: '{{actor}} changed the picture' },
  picture_removed: { byYou: 'You removed the picture', other: '{{actor}} removed the picture' },
  made_public: { byYou: 'You made the group public', other: '{{actor}} made the group public' },
  made_private: { byYou: 'You made the group private', other: '{{actor}} made the group private' },
  settings_changed: { byYou: 'You changed the group’s settings', other: '{{actor}} changed the group’s settings' },
  timer_set: {
    byYou: 'You set new messages to disappear after {{time}}',
    other: '{{actor}} set new messages to disappear after {{time}}',
  },
  timer_off: {
    byYou: 'You turned off disappearing messages',
    other: '{{actor}} turned off disappearing messages',
  },
  group_call: { byYou: 'You started a call', other: '{{actor}} started a call' },
  group_call_over: {
    byYou: 'You started a call that lasted {{time}}',
    other: '{{actor}} started a call that lasted {{time}}',
  },
  message_pinned: { byYou: 'You pinned a message', other: '{{actor}} pinned a message' },
} as const;
