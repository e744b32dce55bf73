import { createStore } from 'zustand/vanilla';
import { showFailure } from '../ui/failures.ts';
import { useTexts } from '../i18n/texts.ts';

/** Pending sign-out confirmation, and who triggered it. */
export const signOutRequestStore = createStore<{ readonly requestedBy: 'person' | 'link' | null }>(() => ({
  requestedBy: null,
}));

/**
 * Returns a function that asks before signing out, and lists what that erases (app/SignOutQuestion.tsx). Only the
 * server can end a session, so without a network it reports failure rather than erasing the device and leaving the
 * session alive.
 */
export function useRequestSignOut(): () => void {
  const { t } = useTexts();
  return () => {
    if (navigator.onLine) signOutRequestStore.setState({ requestedBy: 'person' });
    else showFailure({ title: t('shell.signOutOffline') });
  };
}
