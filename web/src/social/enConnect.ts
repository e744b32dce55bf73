/** Texts of the window that connects an account at a social platform. */
export const enConnect = {
  done: 'Connected. You can close this window.',
  notDone: 'Not connected. Close this window and try again in Nolo.',
} as const;
