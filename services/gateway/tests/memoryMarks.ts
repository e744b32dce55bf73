import type { AppError } from '@nolo/kit/errors';
import { rpcService } from '@nolo/kit/rpc';
import type { Conversation, ConversationSettings, Message } from '@nolo/proto/conversation';
import { MarkServiceService } from '@nolo/proto/marks';
import { aMessage } from '@nolo/testing/protos';

const noSettings: ConversationSettings = {
  archivedAt: undefined,
  pinnedAt: undefined,
  mutedUntil: undefined,
  mutedExceptMentions: false,
  markedUnread: false,
  clearedSeq: 0,
  hiddenAt: undefined,
  requestedAt: undefined,
};

/** The marks of chat as far as the gateway can tell: it notes what it was asked, and answers what a test gave it. */
export function memoryMarks(find: (actorId: string, conversationId: string) => Conversation) {
  const asked: { name: string; request: unknown }[] = [];
  const answers: {
    error: AppError | undefined;
    message: Message;
    starred: { message: Message; starredAt: Date }[];
    nextCursor: string | undefined;
    settings: ConversationSettings;
  } = { error: undefined, message: aMessage(), starred: [], nextCursor: undefined, settings: noSettings };

  const answering =
    <Request, Reply>(name: string, answer: (request: Request) => Reply) =>
    async (request: Request): Promise<Reply> => {
      asked.push({ name, request });
      if (answers.error) throw answers.error;
      return answer(request);
    };

  const service = rpcService(MarkServiceService, {
    setReaction: answering('setReaction', () => answers.message),
    pinMessage: answering('pinMessage', () => answers.message),
    starMessage: answering('starMessage', () => ({})),
    listStarred: answering('listStarred', () => ({ starred: answers.starred, nextCursor: answers.nextCursor })),
    listPinned: answering('listPinned', () => ({ messages: [answers.message] })),
    setTimer: answering('setTimer', (request: { actorId: string; conversationId: string }) =>
      find(request.actorId, request.conversationId),
    ),
    updateConversationSettings: answering('updateConversationSettings', () => answers.settings),
    hideMessage: answering('hideMessage', () => answers.message),
    clearConversation: answering('clearConversation', () => answers.settings),
  });

  return { service, asked, answers };
}
