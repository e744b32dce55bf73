/** What is said wherever something is given away. */
export const enShare = {
  ways: 'Ways to share',
  chats: 'Send to chats',
  system: 'Share...',
  social: 'Share to social',
  received: 'Send to chats what was shared',
  notAll: 'Not all of the files can be sent',
  failed: 'It could not be shared',
} as const;
