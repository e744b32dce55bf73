/** The list of shortcuts. */
export const enShortcuts = {
  title: 'Keyboard shortcuts',
  general: 'General',
  showSheet: 'Show this list',
  search: 'Search conversations',
  closeTopmost: 'Close the topmost thing',
  notifications: 'Go to notifications',
  goTo: 'Go to {{place}}',
  conversation: 'Conversation',
  send: 'Send the message',
  newLine: 'Start a new line',
  findMessages: 'Search in the conversation',
  replyTo: 'Reply to the message',
  selectMessage: 'Select the message',
  openMenu: 'Open the message’s menu',
  space: 'Space',
  then: 'then',
} as const;
