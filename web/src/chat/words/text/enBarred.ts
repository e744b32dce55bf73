/** Why a link is blocked: comes with whoever asks. */
export const enBarred = {
  title: 'This link is blocked',
  text: 'The operators of this installation have blocked {{host}}, because it is known to be harmful: it may be after passwords or money. It is not opened from here. Copy it only if you know what you are doing, for example to warn somebody.',
  copy: 'Copy all the same',
  close: 'Leave it',
  copied: 'Blocked link copied',
} as const;
