import { routes } from '@nolo/api';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useStore } from 'zustand';
import { call } from '../api/httpClient.ts';
import { languageOf, languageStorageKey } from '../i18n/language.ts';
import { keepLanguage, meetLanguage, ownTimeZone } from '../session/accountLanguage.ts';
import { sessionStore } from '../session/session.ts';
import { whenIdle } from '../ui/turns.ts';

/**
 * The app speaks the language of the account on every device: at once where the account is first heard of, and from the
 * next start on where somebody is in the middle of something.
 */
export function useAccountLanguage(): void {
  const { i18n } = useTranslation();
  const user = useStore(sessionStore, ({ user, confirmed }) => (confirmed ? user : null));
  const begun = useRef(false);
  const told = useRef(false);
  useEffect(() => {
    if (user === null) return;
    const stored = localStorage.getItem(languageStorageKey);
    const { keep } = meetLanguage(user, stored, user.timeZone ?? '');
    const arrives = !begun.current;
    begun.current = true;
    if (keep !== undefined) {
      keepLanguage(keep);
      if (arrives && languageOf(location.search, keep, navigator.languages) !== i18n.language) location.reload();
    }
    // A browser takes its time to say where it is, for which the first screen does not wait.
    return whenIdle(() => {
      const { tell } = meetLanguage(user, stored, ownTimeZone());
      // Once a visit: a server that does not understand it would be told without end.
      if (tell === undefined || told.current) return;
      told.current = true;
      call(routes.updateProfile, { body: tell }).then(
        (self) => {
          if (sessionStore.getState().user?.id === self.id) sessionStore.setState({ user: self });
        },
        // The next start tells it again.
        () => undefined,
      );
    });
  }, [user, i18n]);
}
