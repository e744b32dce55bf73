import { routes } from '@nolo/api';
import { chatApi } from '../storage/chatApi.ts';
import { call } from '../../api/httpClient.ts';
import { useChat } from '../context/chatContext.ts';
import { useAction } from '../../ui/useAction.ts';
import { useTexts } from '../../i18n/texts.ts';
import { conversationTexts } from '../words/conversationTexts.ts';

/** Blocks and unblocks the other person of a conversation, and updates its row. */
export function useBlocking(conversationId: string, userId: string | undefined) {
  const { t } = useTexts(conversationTexts);
  const { engine } = useChat();
  return useAction(
    async (block: boolean) => {
      if (userId === undefined) return;
      await call(block ? routes.blockUser : routes.unblockUser, { params: { id: userId } });
      engine.addConversation(await chatApi.getConversation(conversationId));
      // The user may no longer be allowed to see presence received earlier.
      engine.refresh();
    },
    {
      invalidates: [[]],
      failure: (_, block) => ({ title: t(block ? 'conversation:blockFailed' : 'conversation:unblockFailed') }),
    },
  );
}
