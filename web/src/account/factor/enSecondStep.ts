/** Texts of the second step of signing in by phone, for accounts that have one. */
export const enSecondStep = {
  title: 'Two-step verification',
  appLead: 'Enter the code your authenticator app shows for Nolo.',
  appCode: 'Code from the app',
  recoveryLead: 'Enter one of your recovery codes. Each works once.',
  recoveryCode: 'Recovery code',
  submit: 'Sign in',
  busy: 'Signing in...',
  useRecovery: 'Use a recovery code',
  useApp: 'Use the authenticator app',
  none: 'I don’t have either',
  failed: 'We couldn’t check the code. Please try again.',
  restart: 'Start again with my number',
  waitTitle: 'Get in without the second step',
  waitText:
    'Request access, then wait seven days. We notify all the account’s devices and its email address at once, and any device can refuse. If none does, your number alone is enough from {{date}}, and two-step verification is turned off.',
  waitElse: 'If a device is still signed in, turn off two-step verification there instead, under Settings, Devices.',
  waitNot:
    'This number no longer belongs to the account, so you need the second step. You can take the account back for seven days after the number changed.',
  ask: 'Request access',
  asking: 'Requesting...',
  askFailed: 'Failed to request access. Please try again.',
  waitingTitle: 'The account opens on {{date}}',
  waitingText:
    'All signed-in devices have been notified and can refuse until then. Come back at that time and sign in with just your number.',
} as const;
