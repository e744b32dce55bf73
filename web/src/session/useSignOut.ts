import { useTranslation } from 'react-i18next';
import { showFailure } from '../ui/failures.ts';
import { signOut } from './endSession.ts';

/**
 * Signs out by choice. Only the server can end a session, so without a network this says that it cannot be done rather
 * than erasing the device and leaving the session alive.
 */
export function useSignOut(): () => void {
  const { t } = useTranslation();
  return () => {
    if (navigator.onLine) void signOut();
    else showFailure({ title: t('shell.signOutOffline') });
  };
}
