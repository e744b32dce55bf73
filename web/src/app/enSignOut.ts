/** Texts of the question before signing out. */
export const enSignOut = {
  title: 'Log out of Nolo?',
  fromLink: 'A link from outside Nolo opened this.',
  text: 'This erases everything Nolo keeps on this device. Your messages and pictures stay on the server and come back when you sign in again.',
  unsent_one: '{{count}} unsent message or status update will be lost.',
  unsent_other: '{{count}} unsent messages or status updates will be lost.',
  drafts_one: '{{count}} draft will be lost.',
  drafts_other: '{{count}} drafts will be lost.',
  confirm: 'Log out',
} as const;
