/** Proving that a phone number is one's own: the number, then the code that was sent to it. */
export const enPhoneForm = {
  phoneLead: 'We will send you a 6-digit code by SMS.',
  sending: 'Sending...',
  demoHint: 'Demo mode: no SMS is sent. Use the code {{code}}.',
  codeTitle: 'Enter the code',
  codeLead: 'We sent a 6-digit code to',
  codeLabel: 'Verification code',
  completeRegistration: 'Complete Registration',
  verifying: 'Verifying...',
  resend: 'Send a new code',
  resendIn: 'Send a new code in {{time}}',
  phoneHint: 'As you dial it at home, or with + and the country code.',
  otherWay: 'Or sign in another way:',
  traditionalSignIn: 'Traditional Sign In',
  openOutbox: 'See what would have been sent',
  codeSent: 'Code sent successfully',
  registered: 'Registration successful',
  signedIn: 'Signed in',
  errors: {
    phoneRequired: { title: 'Phone number required', text: 'Please enter a valid phone number' },
    codeRequired: {
      title: 'Verification code required',
      text: 'Please enter the verification code',
    },
    sendRefused: 'Failed to send code',
    sendFailed: {
      title: 'Error',
      text: 'Failed to send verification code. Please try again.',
    },
    verifyRefused: 'Verification failed',
    verifyFailed: { title: 'Error', text: 'Failed to verify code. Please try again.' },
  },
} as const;
