/** Texts of passkeys: creating one, and being asked for one. */
export const enPasskeys = {
  use: 'Sign in with a passkey',
  confirm: 'Confirm with a passkey',
  add: 'Add a passkey',
  addText:
    'Sign in with your device’s fingerprint, face or PIN, or with a security key. Nolo receives nothing that anyone else could sign in with.',
  name: 'Name',
  nameHint: 'Helps you recognise it in the list.',
  nameMissing: 'Give the passkey a name.',
  renameTitle: 'Rename passkey',
  create: 'Create passkey',
  added: 'Passkey added',
  addedText: 'All your devices are notified.',
  renamed: 'Name saved',
  errors: {
    cancelled: 'Not confirmed. Try again, or choose another way.',
    known: 'This device already has a passkey for your account.',
    unsupported: 'This browser or device can’t store this kind of passkey.',
    failed: 'That didn’t work. Please try again.',
  },
} as const;
