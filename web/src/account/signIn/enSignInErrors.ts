/** Why signing in with the provider ended without a session. */
export const enSignInErrors = {
  cancelled: 'Sign-in was cancelled.',
  expired: 'Signing in took too long. Please try again.',
  unavailable: 'This way of signing in is not available right now. Try again later, or use your phone.',
  limited: 'There were too many attempts. Please wait a little and try again.',
  suspended: 'This account is suspended.',
  registration_closed: 'There are no new accounts here at the moment.',
  registration_invited:
    'New accounts are by invitation here: sign in with a phone number that somebody has among their contacts, or by the link of your invitation.',
  failed: 'Signing in did not work. Please try again.',
} as const;
