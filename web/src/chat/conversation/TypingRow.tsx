import type { Conversation } from '@nolo/api';
import { useShallow } from 'zustand/react/shallow';
import { useChatState } from '../context/chatContext.ts';
import { usePeopleNames, type PeopleNames } from '../words/peopleNames.ts';
import { conversationName } from '../words/conversationName.ts';
import { useTexts } from '../../i18n/texts.ts';
import type { Translate } from '../../i18n/texts.ts';
import { conversationTexts } from '../words/conversationTexts.ts';

/** Returns the other people who are typing in a conversation. */
function useTypists(conversationId: string): readonly string[] {
  return useChatState(
    useShallow((state) => Object.keys(state.typing[conversationId] ?? {}).filter((userId) => userId !== state.selfId)),
  );
}

/** Returns true if someone else is typing in a conversation. */
export const useIsSomeoneTyping = (conversationId: string): boolean => useTypists(conversationId).length > 0;

/** Describes who is typing. Returns null if nobody is. */
function typingText(
  typists: readonly string[],
  conversation: Conversation,
  names: PeopleNames,
  t: Translate<typeof conversationTexts>,
): string | null {
  const [first, second, third] = typists;
  if (first === undefined) return null;
  if (conversation.type === 'direct') return t('chats.typing', { name: conversationName(conversation, t) });
  if (second === undefined) return t('chats.typing', { name: names.nameOf(first) });
  if (third !== undefined) return t('conversation:group.typingMany', { count: typists.length });
  return t('conversation:group.typingTwo', { first: names.shortNameOf(first), second: names.shortNameOf(second) });
}

export function useTypingText(conversation: Conversation): string | null {
  const { t } = useTexts(conversationTexts);
  return typingText(useTypists(conversation.id), conversation, usePeopleNames(), t);
}

/** Last row of the list. It keeps its height, so that nothing moves when someone starts or stops typing. */
export function TypingRow({ conversation }: { conversation: Conversation }) {
  const text = useTypingText(conversation);
  return (
    <div className="mx-auto h-10 w-full max-w-200 px-3 pt-1.5 sm:px-5">
      {text !== null && (
        <div
          role="status"
          aria-label={text}
          className="inline-flex h-7 max-w-full animate-fade-in items-center gap-1 rounded-bubble bg-bubble-other px-3 shadow-[0_1px_1.5px_rgb(50_40_25/0.07)]"
        >
          {[0, 1, 2].map((dot) => (
            <span
              key={dot}
              aria-hidden="true"
              className="size-1.5 shrink-0 animate-pulse rounded-full bg-muted"
              style={{ animationDelay: `${dot * 200}ms` }}
            />
          ))}
          {conversation.type !== 'direct' && (
            <span aria-hidden="true" dir="auto" className="ms-1.5 truncate text-12 text-muted">
              {text}
            </span>
          )}
        </div>
      )}
    </div>
  );
}
