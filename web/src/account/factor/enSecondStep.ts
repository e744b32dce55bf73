/** The second step of signing in by phone, where an account has one. */
export const enSecondStep = {
  title: 'Two-step verification',
  appLead: 'Enter the code that your authenticator app shows for Nolo.',
  appCode: 'Code from the app',
  recoveryLead: 'Enter one of the recovery codes that you kept. Each is good once.',
  recoveryCode: 'Recovery code',
  submit: 'Sign in',
  busy: 'Signing in...',
  useRecovery: 'Use a recovery code',
  useApp: 'Use the authenticator app',
  none: 'I have none of these',
  failed: 'The code could not be checked. Please try again.',
  restart: 'Begin again with my number',
  waitTitle: 'Getting in without the second step',
  waitText:
    'Ask for the account, and wait seven days. All its devices and its mail address are told at once, and each of them can refuse. If nobody does, sign in with your number from {{date}} on: it is enough then, and two-step verification is switched off.',
  waitElse: 'If a device is still signed in, switch two-step verification off there instead, under Settings, Devices.',
  waitNot:
    'This number has left the account, so only the second step opens it. It can be taken back for seven days after the number was changed.',
  ask: 'Ask for the account',
  asking: 'Asking...',
  askFailed: 'The account could not be asked for. Please try again.',
  waitingTitle: 'The account opens on {{date}}',
  waitingText:
    'Everybody who is signed in to it was told and can refuse until then. Come back at that time and sign in with your number: it is enough then.',
} as const;
