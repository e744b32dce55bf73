import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useChat } from '../chat/context/chatContext.ts';
import { toast } from '../ui/toasts.ts';

/** Notifies the user on every screen that they were removed from a group. */
export function useGroupRemovalNotice(): void {
  const { t } = useTranslation();
  const { engine } = useChat();
  useEffect(
    () =>
      engine.store.subscribe(({ removedFrom }, before) => {
        if (removedFrom && removedFrom !== before.removedFrom) {
          toast({ title: t('group.removed', { name: removedFrom.name }) });
        }
      }),
    [engine, t],
  );
}
