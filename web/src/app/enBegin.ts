/** What can be begun from anywhere, and the sheet that holds all of it. */
export const enBegin = {
  title: 'New',
  search: 'Name, number, mail or @username',
  actions: 'Begin something',
  link: 'Your link and QR code',
  status: 'Add Status',
  post: 'Write a post',
  people: 'Message somebody',
  found: 'People',
  loading: 'Loading people',
  searching: 'Searching for people',
  none: 'Nobody found. People are found by name if they allow it, and otherwise by their exact number, mail address or @username.',
  noContacts: 'Your contacts appear here. Search for somebody, or add the first by phone number.',
  addNumber: 'Add {{number}}',
} as const;
