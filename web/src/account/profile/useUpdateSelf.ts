import type { Self } from '@nolo/api';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { explainFailure } from '../../i18n/explainFailure.ts';
import { sessionStore } from '../../session/session.ts';
import { showFailure } from '../../ui/failures.ts';
import { toast } from '../../ui/toasts.ts';

/** Saves a change of the user, shown optimistically and reverted if the server refuses. Resolves to true if saved. */
export type UpdateSelf = (change: Partial<Self>, save: () => Promise<Self>) => Promise<boolean>;

export function useUpdateSelf(): UpdateSelf {
  const { t, i18n } = useTranslation();
  const queue = useRef<Promise<unknown>>(Promise.resolve());
  const waiting = useRef(0);

  return async (change, save) => {
    const before = sessionStore.getState().user;
    if (before === null) return false;
    const keep = (user: Self) => {
      // If the session ended meanwhile, there is no user to store.
      if (sessionStore.getState().user !== null) sessionStore.setState({ user });
    };
    keep({ ...before, ...change });
    waiting.current += 1;
    // Runs one after another, so that of two quick changes the later one remains.
    const saved = queue.current.then(save);
    queue.current = saved.catch(() => {});
    try {
      const user = await saved;
      if (waiting.current === 1) keep(user);
      toast({ kind: 'success', title: t('profile.updated') });
      return true;
    } catch (error) {
      const now = sessionStore.getState().user;
      const undone = Object.fromEntries(Object.keys(change).map((key) => [key, before[key as keyof Self]]));
      if (now !== null) keep({ ...now, ...undone });
      showFailure({ title: t('errors.updateProfile'), description: explainFailure(i18n, error) });
      return false;
    } finally {
      waiting.current -= 1;
    }
  };
}
