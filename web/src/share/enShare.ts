/** What is said wherever something is given away. */
export const enShare = {
  ways: 'Ways to share',
  chats: 'Send to chats',
  system: 'Share...',
  social: 'Share to social',
  failed: 'It could not be shared',
} as const;
