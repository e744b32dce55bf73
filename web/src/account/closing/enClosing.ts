/** What somebody reads whose account is closed and will be deleted. */
export const enClosing = {
  title: 'Your account will be deleted',
  lead: 'It is closed since you had it deleted, and everything in it goes for good on {{date}}.',
  text: 'Keep it, and everything is as it was: your profile, contacts, groups and messages. Planned posts stay cancelled.',
  keep: 'Keep my account',
  leave: 'Leave it',
  kept: 'Your account is yours again',
  keepFailed: 'Failed to keep your account',
} as const;
