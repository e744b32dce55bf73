/** Explains why a link is blocked. Loads on demand. */
export const enBarredLink = {
  title: 'This link is blocked',
  text: 'The operators of this installation blocked {{host}} because it’s known to be harmful: it may try to steal passwords or money. Nolo won’t open it. Copy the link only if you know what you’re doing, for example to warn someone.',
  copy: 'Copy anyway',
  close: 'Don’t copy',
  copied: 'Blocked link copied',
} as const;
