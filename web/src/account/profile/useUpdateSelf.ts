import type { Self } from '@nolo/api';
import { useRef } from 'react';
import { sessionStore } from '../../session/session.ts';
import { toast } from '../../ui/toasts.ts';
import { useAction } from '../../ui/useAction.ts';
import { useTexts } from '../../i18n/texts.ts';
import { profileTexts } from './profileTexts.ts';

interface SelfUpdate {
  /** Shown at once, and reverted if the server refuses. */
  change?: Partial<Self>;
  save: () => Promise<Self>;
}

/** Saves a change of the user. */
export function useUpdateSelf() {
  const { t } = useTexts(profileTexts);
  const queue = useRef<Promise<unknown>>(Promise.resolve());
  const waiting = useRef(0);

  const update = async ({ change = {}, save }: SelfUpdate) => {
    const before = sessionStore.getState().user;
    const keep = (toUser: (now: Self) => Self) => {
      // If the session ended meanwhile, there is no user to store.
      const now = sessionStore.getState().user;
      if (now !== null) sessionStore.setState({ user: toUser(now) });
    };
    keep((now) => ({ ...now, ...change }));
    waiting.current += 1;
    // Runs one after another, so that of two quick changes the later one remains.
    const saved = queue.current.then(save);
    queue.current = saved.catch(() => {});
    try {
      const user = await saved;
      if (waiting.current === 1) keep(() => user);
    } catch (error) {
      const undone = Object.fromEntries(Object.keys(change).map((key) => [key, before?.[key as keyof Self]]));
      keep((now) => ({ ...now, ...undone }));
      throw error;
    } finally {
      waiting.current -= 1;
    }
  };
  return useAction(update, {
    failure: t('errors.updateProfile'),
    onDone: () => toast({ kind: 'success', title: t('profile:updated') }),
  });
}
