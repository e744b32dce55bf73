import { useTranslation } from 'react-i18next';
import { createStore } from 'zustand/vanilla';
import { showFailure } from '../ui/failures.ts';

/** Whether the person is being asked if they want to sign out, and who began it. */
export const signOutStore = createStore<{ readonly askedBy: 'person' | 'link' | null }>(() => ({ askedBy: null }));

/**
 * Asks before it signs out, and says what that erases (app/SignOutQuestion.tsx). Only the server can end a session, so
 * without a network this says that it cannot be done rather than erasing the device and leaving the session alive.
 */
export function useSignOut(): () => void {
  const { t } = useTranslation();
  return () => {
    if (navigator.onLine) signOutStore.setState({ askedBy: 'person' });
    else showFailure({ title: t('shell.signOutOffline') });
  };
}
