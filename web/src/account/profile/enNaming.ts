/** Texts about the user's name, asked for after the first sign-in and changed in the profile. */
export const enNaming = {
  title: 'What should people call you?',
  lead: 'This is the name that people you message will see.',
  lastNameOptional: 'Last name (optional)',
  pictureOffer: 'Add a picture if you like, now or later.',
  firstName: 'First name',
  lastName: 'Last name',
  firstNameRequired: 'Please enter your first name',
  logout: 'Logout',
} as const;
