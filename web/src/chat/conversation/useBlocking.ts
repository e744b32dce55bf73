import { routes } from '@nolo/api';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { chatApi } from '../storage/chatApi.ts';
import { call } from '../../api/httpClient.ts';
import { useChat } from '../context/chatContext.ts';
import { showFailure } from '../../ui/failures.ts';

/** Blocks and unblocks the other person of a conversation, and updates its row. */
export function useBlocking(conversationId: string, userId: string | undefined) {
  const { t } = useTranslation();
  const { engine } = useChat();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (block: boolean) => {
      if (userId === undefined) return;
      await call(block ? routes.blockUser : routes.unblockUser, { params: { id: userId } });
      engine.addConversation(await chatApi.getConversation(conversationId));
      // The user may no longer be allowed to see presence received earlier.
      engine.refresh();
      await queryClient.invalidateQueries();
    },
    onError: (_, block) => showFailure({ title: t(block ? 'conversation.blockFailed' : 'conversation.unblockFailed') }),
  });
}
