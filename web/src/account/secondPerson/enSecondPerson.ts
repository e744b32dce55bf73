/** Texts of demo mode about a second person in a second window. */
export const enSecondPerson = {
  offer: 'Open a second window as {{name}}',
  why: 'On your own? In this demo, you can chat with a second person in a second window and see both sides live.',
  arriving: '{{name}} is signing in...',
  failed: 'The second person could not sign in',
  hello: 'Hello, I’m {{name}}, the second person in this demo. Write back, and watch both windows.',
} as const;
