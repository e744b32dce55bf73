/** Reporting to the operators: comes with whoever wants to. */
export const enReport = {
  titles: {
    person: 'Report {{name}}?',
    message: 'Report a message of {{name}}?',
    group: 'Report the group {{name}}?',
    status: 'Report a status update of {{name}}?',
  },
  text: 'Your report goes to the operators of this installation. {{name}} is not told.',
  category: 'What is it about?',
  categories: {
    spam: 'Spam or fraud',
    harassment: 'Insults or harassment',
    violence: 'Threats or violence',
    impersonation: 'Pretends to be somebody else',
    other: 'Something else',
  },
  note: 'What should the operators know? (optional)',
  handedOver: 'Messages that go along',
  handedOverHint:
    'Whatever you choose here, an operator will read, word by word. Files and pictures in messages do not go along.',
  statusText: 'The text',
  statusTextHint: 'It goes along, and an operator will read it, word by word.',
  picture: 'The picture',
  pictureHint: 'A copy goes along, and an operator will see it. It is deleted with the report.',
  videoStays: 'The video does not go along: no operator sees it. Say above what is to be seen in it.',
  nothing: 'No messages go along.',
  block: 'Block {{name}} as well',
  send: 'Report',
  done: 'Reported',
  doneText: 'The operators look at it.',
  failed: 'That could not be reported',
} as const;
