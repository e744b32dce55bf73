/** The words of the window in which an account at a social platform was connected. */
export const enConnect = {
  done: 'Connected. You can close this window.',
  notDone: 'Not connected. Close this window and try again in Nolo.',
} as const;
