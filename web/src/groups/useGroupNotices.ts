import type { OwnJoinRequest } from '@nolo/api';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useChat } from '../chat/context/chatContext.ts';
import { groupKeys } from '../chat/context/groupQueries.ts';
import { toast } from '../ui/toasts.ts';
import { useTexts } from '../i18n/texts.ts';
import { groupTexts } from '../chat/words/groupTexts.ts';

/** Notifies the user on every screen that they were removed from a group, or that one declined their join request. */
export function useGroupNotices(): void {
  const { t } = useTexts(groupTexts);
  const { engine } = useChat();
  const queryClient = useQueryClient();
  useEffect(
    () =>
      engine.store.subscribe(({ removedFrom }, before) => {
        if (removedFrom && removedFrom !== before.removedFrom) {
          toast({ title: t('group:removed', { name: removedFrom.name }) });
        }
      }),
    [engine, t],
  );
  useEffect(
    () =>
      engine.socket.subscribe('join_request_denied', ({ conversationId, withdrawn }) => {
        if (withdrawn !== false) return;
        const known = queryClient.getQueryData<readonly OwnJoinRequest[]>(groupKeys.ownRequests);
        const name = known?.find(({ id }) => id === conversationId)?.name;
        toast({ title: name ? t('group:requestDeclined', { name }) : t('group:requestDeclinedUnknown') });
      }),
    [engine, queryClient, t],
  );
}
