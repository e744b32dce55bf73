import type { User } from '@nolo/api';
import type { RpcCallOptions } from '@nolo/kit/rpc';
import type { Message as MessageReply } from '@nolo/proto/conversation';
import type { Clients } from '../clients.ts';
import { findPeople } from './findPeople.ts';

/** Maximum remembered conversations. A conversation's type never changes, so it is queried once. */
const maxCachedConversations = 20_000;

/**
 * Finds senders for conversations that show them: groups and meetings (decision 17). In a direct conversation both
 * people are known, so replies to messages there need no query.
 */
export function createSenderFinder(context: Pick<Clients, 'chat' | 'identity'>) {
  const direct = new Map<string, boolean>();

  const isDirect = async (viewerId: string, conversationId: string, rpc: RpcCallOptions): Promise<boolean> => {
    const known = direct.get(conversationId);
    if (known !== undefined) return known;
    const { type } = await context.chat.getConversation({ actorId: viewerId, conversationId }, rpc);
    if (direct.size >= maxCachedConversations) direct.clear();
    direct.set(conversationId, type === 'direct');
    return type === 'direct';
  };

  return {
    /** Returns the senders of rows of one conversation the viewer is in, or undefined if it does not name senders. */
    async of(
      viewerId: string,
      rows: readonly MessageReply[],
      rpc: RpcCallOptions,
    ): Promise<ReadonlyMap<string, User> | undefined> {
      const [first] = rows;
      if (!first || (await isDirect(viewerId, first.conversationId, rpc))) return undefined;
      return findPeople(
        context,
        viewerId,
        rows.map(({ senderId }) => senderId),
        rpc,
      );
    },
  };
}
