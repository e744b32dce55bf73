/** Reasons why a provider sign-in ended without a session. */
export const enSignInErrors = {
  cancelled: 'Sign-in was cancelled.',
  expired: 'Sign-in took too long. Please try again.',
  unavailable: 'This sign-in method isn’t available right now. Try again later, or use your phone.',
  limited: 'Too many attempts. Please wait a little and try again.',
  suspended: 'This account is suspended.',
  registration_closed: 'Sign-ups are closed at the moment.',
  registration_invited:
    'New accounts are by invitation: sign in with a phone number that is in someone’s contacts here, or use your invitation link.',
  failed: 'Sign-in failed. Please try again.',
} as const;
