/*
 * Storage keys of small personal data that signing out erases. They are separate, because erasing needs nothing else of
 * the code that writes them.
 */

/** Recently used emoji. */
export const emojiStorageKey = 'nolo.emoji';
/** Display preferences, and those not yet sent to the account. */
export const preferencesKey = 'nolo.preferences';
/** Choice about previews of written links. */
export const linkPreviewStorageKey = 'nolo.linkPreviews';
/** Voice notes already played. */
export const playedVoiceNotesKey = 'nolo.playedNotes';

/** Time up to which the user has seen their calls. */
export const callsSeenKey = 'nolo.callsSeen';

/** The user put away the offer to set up this device's keys. */
export const setUpDismissedKey = 'nolo.keysSetUp';
/** The app asked for recovery words. */
export const recoveryAskedKey = 'nolo.recoveryAsked';

/** All of these keys, which are erased together. */
export const signOutErasedStorageKeys = [
  emojiStorageKey,
  preferencesKey,
  linkPreviewStorageKey,
  playedVoiceNotesKey,
  callsSeenKey,
  setUpDismissedKey,
  recoveryAskedKey,
] as const;
