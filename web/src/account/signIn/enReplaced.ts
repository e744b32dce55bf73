/** A number that left an account a short while ago (decision 38). */
export const enReplaced = {
  title: 'Is this your account?',
  text: 'Until {{date}} this number belonged to an account. Taking it back signs out all its devices and undoes how its ways to sign in were changed since.',
  takeBack: 'Take my account back',
  beginAnew: 'Begin a new account',
} as const;
