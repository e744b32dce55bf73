/** Passkeys: making one, and being asked for one. */
export const enPasskeys = {
  use: 'Sign in with a passkey',
  confirm: 'Confirm with a passkey',
  add: 'Add a passkey',
  addText:
    'Signs you in with the fingerprint, face or PIN of your device, or with a security key. Nolo is given nothing with which anybody else could sign in.',
  name: 'Name',
  nameHint: 'By which you know it again in the list.',
  nameMissing: 'Give the passkey a name.',
  renameTitle: 'Name of the passkey',
  create: 'Create passkey',
  added: 'Passkey added',
  addedText: 'All your devices are told.',
  renamed: 'Name saved',
  errors: {
    cancelled: 'Nothing was confirmed. Try again, or choose another way.',
    known: 'This device has a passkey of yours already.',
    unsupported: 'This browser or device cannot keep passkeys that it asks you for.',
    failed: 'That did not work. Please try again.',
  },
} as const;
