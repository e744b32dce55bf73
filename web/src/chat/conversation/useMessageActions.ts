import type { Conversation, Message } from '@nolo/api';
import { fullEmoji } from '@nolo/rules';
import { useMemo } from 'react';
import { serverNow } from '../../api/serverClock.ts';
import { ApiError } from '../../api/httpClient.ts';
import { useChat } from '../context/chatContext.ts';
import { approverOf } from '@nolo/client/chat/rowOpening';
import { isSealed } from '@nolo/client/chat/sealedRows';
import { getConversationActions } from '@nolo/client/chat/conversationActions';
import { useCopy } from '../../shell/useCopy.ts';
import { showFailure } from '../../ui/failures.ts';
import { toast } from '../../ui/toasts.ts';
import { mayChange } from './messageRules.ts';
import { useTexts } from '../../i18n/texts.ts';
import type { Translate } from '../../i18n/texts.ts';
import { conversationTexts } from '../words/conversationTexts.ts';
import { messagesTexts } from '../words/messagesTexts.ts';

function reasonOf(error: unknown, t: Translate<typeof messagesTexts>): string | undefined {
  if (!(error instanceof ApiError)) return undefined;
  switch (error.code) {
    case 'network_error':
      return t('messages:failed.offline');
    case 'message_not_found':
      return t('messages:failed.notFound');
    case 'too_many_pinned':
      return t('messages:failed.tooManyPinned');
    case 'too_many_stars':
      return t('messages:failed.tooManyStars');
    case 'too_many_reactions':
      return t('messages:failed.tooManyReactions');
    default:
      return error.serverMessage || undefined;
  }
}

export type MessageActions = ReturnType<typeof useMessageActions>;

/** Returns the actions on messages, which show an error if they fail. */
export function useMessageActions() {
  const { t } = useTexts(conversationTexts, messagesTexts);
  const { engine } = useChat();
  const copy = useCopy();
  return useMemo(() => {
    const { selfId } = engine.store.getState();
    const createFailureHandler = (title: string) => (error: unknown) => {
      const description = reasonOf(error, t);
      showFailure({ title, ...(description !== undefined && { description }) });
    };
    return {
      /** Replaces the user's reaction. The same emoji again removes it. */
      react(message: Message, emoji: string) {
        const requested = engine.store.getState().optimisticUpdates[message.id]?.reaction;
        const known = message.reactions.find(({ userId }) => userId === selfId)?.emoji ?? null;
        const current = requested === undefined ? known : requested;
        getConversationActions(engine)
          .react(message.id, current !== null && fullEmoji(current) === fullEmoji(emoji) ? null : emoji)
          .catch(createFailureHandler(t('messages:failed.react')));
      },
      pin(message: Message, pinned: boolean) {
        getConversationActions(engine)
          .pin(message.id, pinned)
          .catch(createFailureHandler(t(pinned ? 'messages:failed.pin' : 'messages:failed.unpin')));
      },
      star(messages: readonly Message[], starred: boolean) {
        Promise.all(messages.map(({ id }) => getConversationActions(engine).star(id, starred)))
          .then(() => {
            if (messages.length > 1) {
              toast({ kind: 'success', title: t('messages:selection.starred', { count: messages.length }) });
            }
          })
          .catch(createFailureHandler(t('messages:failed.star')));
      },
      copy(messages: readonly Message[]) {
        const texts = messages.map((message) => message.content || message.voiceMessageTranscription);
        const text = texts.filter(Boolean).join('\n\n');
        const count = messages.length;
        void copy(text, count > 1 ? t('messages:selection.copied', { count }) : t('conversation:copied'));
      },
    };
  }, [engine, t, copy]);
}

export interface MessageRights {
  readonly edit: boolean;
  readonly remove: boolean;
  readonly pin: boolean;
  /** Reply, react, star, and forward: allowed for every message with content. */
  readonly use: boolean;
}

export function toMessageRights(
  message: Message,
  conversation: Conversation,
  selfId: string,
  now = serverNow(),
): MessageRights {
  // True for a meeting's hosts in its chat.
  const leads = conversation.type !== 'direct' && conversation.myRole !== 'member';
  const there = message.deletedAt === null && message.messageType !== 'system';
  // A sealed message has content that this release cannot open, so it cannot be quoted, forwarded, or edited.
  const sealed = isSealed(message);
  const changeable = mayChange(message, selfId, now);
  const open = conversation.type !== 'direct' || (conversation.otherUser !== null && !conversation.otherUser.isBlocked);
  return {
    // Files have an editable caption. Voice notes cannot be edited, nor what an admin approved.
    edit: changeable && !sealed && message.messageType !== 'voice' && approverOf(message) === null,
    remove: changeable || (there && leads),
    pin: there && open && (conversation.type === 'direct' || leads),
    use: there && !sealed,
  };
}
