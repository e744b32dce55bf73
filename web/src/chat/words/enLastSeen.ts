/** Texts for when a person was last seen. */
export const enLastSeen = {
  today: 'Last seen today at {{time}}',
  yesterday: 'Last seen yesterday at {{time}}',
  on: 'Last seen on {{date}}',
  short: 'Seen {{at}}',
} as const;
