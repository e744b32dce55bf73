/** Texts of the command palette. */
export const enPalette = {
  title: 'Find or do anything',
  placeholder: 'Chat, person, message, action',
  results: 'Results',
  chats: 'Chats',
  people: 'People',
  actions: 'Actions',
  settings: 'Settings',
  nothing: 'Nothing found',
  searching: 'Searching...',
  goTo: 'Go to {{place}}',
  lightTheme: 'Light theme',
  darkTheme: 'Dark theme',
  systemTheme: 'System theme',
  shortcuts: 'Keyboard shortcuts',
} as const;
