/** Texts for sharing. */
export const enShare = {
  ways: 'Ways to share',
  chats: 'Send to chats',
  system: 'Share...',
  social: 'Share to social',
  received: 'Send shared content to chats',
  notAll: 'Some of the files can’t be sent',
  failed: 'Couldn’t share this',
} as const;
