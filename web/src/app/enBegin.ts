/** Texts of the actions that start something, and of the sheet that contains them. */
export const enBegin = {
  title: 'New',
  search: 'Name, number, email or @username',
  actions: 'Create',
  link: 'Your link and QR code',
  status: 'Add Status',
  post: 'Write a post',
  people: 'Send a message',
  found: 'People',
  loading: 'Loading people',
  searching: 'Searching for people',
  none: 'Nobody found. You can find people by name if they allow it, or by exact number, email or @username.',
  noContacts: 'Your contacts appear here. Search for someone, or add your first contact by phone number.',
  addNumber: 'Add {{number}}',
} as const;
