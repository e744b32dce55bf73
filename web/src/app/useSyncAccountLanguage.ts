import { routes } from '@nolo/api';
import { useEffect, useRef } from 'react';
import { useStore } from 'zustand';
import { call } from '../api/httpClient.ts';
import { detectLanguage, languageStorageKey } from '../i18n/language.ts';
import { storeLanguage, computeLanguageSync, readTimeZone } from '../session/accountLanguage.ts';
import { sessionStore } from '../session/session.ts';
import { runWhenIdle } from '../ui/scheduler.ts';
import { useTexts } from '../i18n/texts.ts';

/**
 * Applies the account's language on every device: at once when the account is first loaded, and otherwise from the next
 * start, because the user is busy.
 */
export function useSyncAccountLanguage(): void {
  const { i18n } = useTexts();
  const user = useStore(sessionStore, ({ user, confirmed }) => (confirmed ? user : null));
  const begun = useRef(false);
  const hasUpdatedProfile = useRef(false);
  useEffect(() => {
    if (user === null) return;
    const stored = localStorage.getItem(languageStorageKey);
    const { keep } = computeLanguageSync(user, stored, user.timeZone ?? '');
    const arrives = !begun.current;
    begun.current = true;
    if (keep !== undefined) {
      storeLanguage(keep);
      if (arrives && detectLanguage(location.search, keep, navigator.languages) !== i18n.language) location.reload();
    }
    // Browsers take time to return the time zone, and the first screen does not wait for that.
    return runWhenIdle(() => {
      const { profileUpdate } = computeLanguageSync(user, stored, readTimeZone());
      // Runs once per page load: a server that ignores it would otherwise be updated endlessly.
      if (profileUpdate === undefined || hasUpdatedProfile.current) return;
      hasUpdatedProfile.current = true;
      call(routes.updateProfile, { body: profileUpdate }).then(
        (self) => {
          if (sessionStore.getState().user?.id === self.id) sessionStore.setState({ user: self });
        },
        // The next start retries.
        () => undefined,
      );
    });
  }, [user, i18n]);
}
