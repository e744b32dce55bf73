/** What is said of calls where there is none: on buttons and in previews. The rest is in enCalls.ts. */
export const enCall = {
  voice: 'Voice call',
  video: 'Video call',
  voiceWith: 'Voice call with {{name}}',
  videoWith: 'Video call with {{name}}',
  offline: 'Calls need a connection',
  inCall: 'You are in a call',
  missed: 'Missed voice call',
  missedVideo: 'Missed video call',
  noAnswer: 'Voice call, no answer',
  noAnswerVideo: 'Video call, no answer',
  declined: 'Declined voice call',
  declinedVideo: 'Declined video call',
  failed: 'Voice call failed',
  failedVideo: 'Video call failed',
  back: 'Call back',
  again: 'Call again',
} as const;
