/** Texts about a number that recently left an account (decision 38). */
export const enReplaced = {
  title: 'Is this your account?',
  text: 'Until {{date}} this number belonged to an account. Taking it back logs out all its devices and undoes later changes to its sign-in methods.',
  takeBack: 'Take my account back',
  beginAnew: 'Create a new account',
} as const;
