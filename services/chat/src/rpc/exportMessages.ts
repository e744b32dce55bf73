import type { ConversationId } from '@nolo/kit/ids';
import type { RpcHandler } from '@nolo/kit/rpc';
import type { ChatServiceService } from '@nolo/proto/chat';
import { actorFrom } from '../domain/actor.ts';
import type { Dependencies } from './dependencies.ts';
import { toMessageReply } from './replies.ts';

const conversationsAtOnce = 100;
const messagesAtOnce = 500;

/** Read page by page, so that a long life of messages is never in memory and no transaction stays open over it. */
export function exportMessages({
  members,
  messages,
}: Dependencies): RpcHandler<typeof ChatServiceService.exportMessages> {
  return async function* (request) {
    const actorId = actorFrom(request.actorId);
    let after: ConversationId | undefined;
    for (;;) {
      const conversations = await members.conversationsOf(actorId, after, conversationsAtOnce);
      for (const conversationId of conversations) {
        let seq = 0;
        for (;;) {
          const page = await messages.readable(actorId, conversationId, seq, messagesAtOnce);
          for (const message of page) yield toMessageReply(message);
          const last = page.at(-1);
          if (!last || page.length < messagesAtOnce) break;
          seq = last.seq;
        }
      }
      after = conversations.at(-1);
      if (!after || conversations.length < conversationsAtOnce) return;
    }
  };
}
