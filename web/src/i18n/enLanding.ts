/** The words of the landing page, which come with it. */
export const enLanding = {
  phone: 'Phone',
  signIn: 'Sign In',
  welcome: 'Welcome to Nolo',
  headline: 'Good conversations, on your own terms.',
  lead: 'A calm place to talk with the people you know. Fast, free of ads and trackers, and open source throughout.',
  getStartedWithPhone: 'Get Started with Phone',
  traditionalSignIn: 'Traditional Sign In',
  noScript: 'This page works without JavaScript; Nolo itself needs it.',
  featuresHeading: 'What Nolo is made for',
  encryptedTitle: 'End-to-End Encrypted',
  encryptedText:
    'Messages that only the people in a conversation can read. Until that is proven, we say so: today they are protected on the way and kept on the server.',
  realtimeTitle: 'Real-time Messaging',
  realtimeText:
    'Messages arrive the moment they are sent. See who is typing, what was delivered and read, and pick up where you left off on any device.',
  meetingsTitle: 'Group Meetings',
  meetingsText: 'Video rooms joined with a six-character code, with no account needed for guests you invite.',
  footer: 'Open source under Apache-2.0. No ads, no analytics, no third parties.',
  picture: 'A conversation in Nolo: two friends agree on where to meet.',
  demo: {
    name: 'Amara Dlamini',
    status: 'Online',
    day: 'Today',
    one: 'The light over the bay tonight!',
    two: 'Stay there. Twenty minutes?',
    three: 'Bring the good flask?',
    four: 'Packed, and two cups',
    typing: 'Amara is typing',
    otherName: 'Thabo Mokoena',
    otherText: 'Nine at the gate, then',
  },
};
