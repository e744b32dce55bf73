/** Texts for the owner of a closed account that will be deleted. */
export const enClosing = {
  title: 'Your account will be deleted',
  lead: 'Your account is closed, and everything in it will be gone for good on {{date}}.',
  text: 'Keep it, and everything is as it was: your profile, contacts, groups and messages. Scheduled posts stay cancelled.',
  keep: 'Keep my account',
  leave: 'Delete as planned',
  kept: 'Your account is back',
  keepFailed: 'Failed to keep your account',
} as const;
