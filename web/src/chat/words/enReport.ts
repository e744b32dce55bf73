/** Texts for reports to the operators. They load on demand. */
export const enReport = {
  titles: {
    person: 'Report {{name}}?',
    message: 'Report a message from {{name}}?',
    group: 'Report the group {{name}}?',
    status: 'Report a status update from {{name}}?',
  },
  text: 'Your report goes to the operators of this installation. {{name}} isn’t notified.',
  category: 'What is it about?',
  categories: {
    spam: 'Spam or fraud',
    harassment: 'Insults or harassment',
    violence: 'Threats or violence',
    impersonation: 'Pretending to be someone else',
    other: 'Something else',
  },
  note: 'What should the operators know? (optional)',
  handedOver: 'Messages to include',
  handedOverHint:
    'An operator will read every message you choose, word for word. Files and pictures in messages aren’t included.',
  statusText: 'Text',
  statusTextHint: 'An operator will read it, word for word.',
  picture: 'Picture',
  pictureHint: 'An operator will see a copy. It’s deleted with the report.',
  videoStays: 'The video isn’t included, so no operator sees it. Describe above what it shows.',
  nothing: 'No messages are included.',
  block: 'Block {{name}} as well',
  send: 'Report',
  done: 'Report sent',
  doneText: 'The operators will review it.',
  failed: 'Failed to send the report',
} as const;
