/** What one is called: asked for after the first sign-in, and changed in the profile. */
export const enNaming = {
  title: 'What should people call you?',
  lead: 'Your name is what the people you write to will see.',
  lastNameOptional: 'Last name (optional)',
  pictureOffer: 'Add a picture if you like. You can do it later, too.',
  firstName: 'First name',
  lastName: 'Last name',
  firstNameRequired: 'Please enter your first name',
  logout: 'Logout',
} as const;
