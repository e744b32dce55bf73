/** What demo mode says of a second person in a second window. */
export const enSecondPerson = {
  offer: 'Open a second window as {{name}}',
  why: 'Alone here? This is a demo: talk to a second person in a second window, and see both sides live.',
  arriving: '{{name}} is signing in...',
  failed: 'The second person could not sign in',
  hello: 'Hello, this is {{name}}, the second person of this demo. Write back, and watch both windows.',
} as const;
