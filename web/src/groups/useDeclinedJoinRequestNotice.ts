import type { OwnJoinRequest } from '@nolo/api';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useChat } from '../chat/context/chatContext.ts';
import { groupKeys } from '../chat/context/groupQueries.ts';
import { toast } from '../ui/toasts.ts';

/** Notifies the user on every screen that a group declined their join request. Its row leaves the list. */
export function useDeclinedJoinRequestNotice(): void {
  const { t } = useTranslation();
  const { socket } = useChat().engine;
  const queryClient = useQueryClient();
  useEffect(
    () =>
      socket.subscribe('join_request_denied', ({ conversationId, withdrawn }) => {
        if (withdrawn !== false) return;
        const known = queryClient.getQueryData<readonly OwnJoinRequest[]>(groupKeys.ownRequests);
        const name = known?.find(({ id }) => id === conversationId)?.name;
        toast({ title: name ? t('group.requestDeclined', { name }) : t('group.requestDeclinedUnknown') });
      }),
    [socket, queryClient, t],
  );
}
