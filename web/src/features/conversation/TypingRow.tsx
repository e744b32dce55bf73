import type { Conversation } from '@nolo/api';
import { useTranslation } from 'react-i18next';
import { useChatState } from '../../app/chatContext.ts';
import { conversationName } from '../chats/conversationName.ts';

/** Whether someone else types in a conversation. */
export function useTyping(conversationId: string): boolean {
  return useChatState((state) =>
    Object.keys(state.typing[conversationId] ?? {}).some((userId) => userId !== state.selfId),
  );
}

/** The last row of the list: it keeps its height, so that nothing moves when someone begins or stops typing. */
export function TypingRow({ conversation }: { conversation: Conversation }) {
  const { t } = useTranslation();
  const typing = useTyping(conversation.id);
  return (
    <div className="mx-auto h-10 w-full max-w-200 px-3 pt-1.5 sm:px-5">
      {typing && (
        <div
          role="status"
          aria-label={t('chats.typing', { name: conversationName(conversation, t) })}
          className="inline-flex h-7 animate-fade-in items-center gap-1 rounded-bubble bg-bubble-other px-3 shadow-[0_1px_1.5px_rgb(50_40_25/0.07)]"
        >
          {[0, 1, 2].map((dot) => (
            <span
              key={dot}
              aria-hidden="true"
              className="size-1.5 animate-pulse rounded-full bg-muted"
              style={{ animationDelay: `${dot * 200}ms` }}
            />
          ))}
        </div>
      )}
    </div>
  );
}
