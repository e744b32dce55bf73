/** First messages of strangers: comes with the first of them. */
export const enRequests = {
  title: 'Message requests',
  waiting_one: '{{count}} message request',
  waiting_other: '{{count}} message requests',
  hint: 'From people who are not in your contacts.',
  back: 'Back to the chats',
  stranger: 'Not in your contacts',
  messages: 'Messages of {{name}}',
  notLoaded: 'Not loaded before you accept',
  question: '{{name}} wants to write to you',
  unseen: 'Until you accept, {{name}} sees neither that the messages arrived nor that you read them.',
  accept: 'Accept',
  delete: 'Delete',
  deleteTitle: 'Delete the request from {{name}}?',
  deleteText: '{{name}} is not told. If they write again, you are asked again.',
  deleteFailed: 'Failed to delete the request',
  acceptFailed: 'Failed to accept the request',
} as const;
