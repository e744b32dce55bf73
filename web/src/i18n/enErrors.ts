/** The specification's error catalogue (section 8) and validation messages (section 5), word for word. */
export const enErrors = {
  unauthorized: { title: 'Unauthorized', text: 'You are logged out. Logging in again...' },
  suspended: { title: 'Account suspended', text: 'You’re logged out. Sign in to see why.' },
  network: 'Network error. Please try again.',
  unexpected: 'Something went wrong. Please try again.',
  generic: 'Error',
  searchUsers: 'Failed to search users',
  startConversation: 'Failed to start conversation',
  addContact: 'Failed to add contact. Please try again.',
  copyLink: 'Failed to copy link',
  copy: 'Couldn’t copy this. Please select and copy it yourself.',
  loadConversations: 'Failed to load conversations',
  fetchConversations: 'Failed to fetch conversations',
  fetchMessages: 'Failed to fetch messages',
  sendMessage: 'Failed to send message',
  sendVoiceMessage: 'Failed to send voice message',
  updateProfile: 'Failed to update profile',
} as const;
