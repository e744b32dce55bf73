/** The question before signing out. */
export const enSignOut = {
  title: 'Log out of Nolo?',
  fromLink: 'A link from outside Nolo asks for this.',
  text: 'Everything that Nolo keeps on this device is erased: messages, pictures and lists. They stay on the server, and come back when you sign in again.',
  unsent_one: '{{count}} message has not been sent yet and will be lost.',
  unsent_other: '{{count}} messages have not been sent yet and will be lost.',
  drafts_one: '{{count}} draft will be lost.',
  drafts_other: '{{count}} drafts will be lost.',
  confirm: 'Log out',
} as const;
