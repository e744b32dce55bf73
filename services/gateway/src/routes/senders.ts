import type { User } from '@nolo/api';
import type { RpcCallOptions } from '@nolo/kit/rpc';
import type { Message as MessageRow } from '@nolo/proto/conversation';
import type { Edge } from '../edge.ts';
import { findPeople } from './people.ts';

/** What a conversation is never changes, so it is asked for once; this bounds what is remembered. */
const mostRemembered = 20_000;

/**
 * Whose messages these are, where readers are told so: in groups and beside meetings (decision 17). In a direct
 * conversation both are known, and the answer to a message sent there costs no question to anybody.
 */
export function createSenders(edge: Pick<Edge, 'chat' | 'identity'>) {
  const direct = new Map<string, boolean>();

  const isDirect = async (viewerId: string, conversationId: string, rpc: RpcCallOptions): Promise<boolean> => {
    const known = direct.get(conversationId);
    if (known !== undefined) return known;
    const { type } = await edge.chat.getConversation({ actorId: viewerId, conversationId }, rpc);
    if (direct.size >= mostRemembered) direct.clear();
    direct.set(conversationId, type === 'direct');
    return type === 'direct';
  };

  return {
    /** The senders of rows of one conversation that the viewer is in; undefined where none is named. */
    async of(
      viewerId: string,
      rows: readonly MessageRow[],
      rpc: RpcCallOptions,
    ): Promise<ReadonlyMap<string, User> | undefined> {
      const [first] = rows;
      if (!first || (await isDirect(viewerId, first.conversationId, rpc))) return undefined;
      return findPeople(
        edge,
        viewerId,
        rows.map(({ senderId }) => senderId),
        rpc,
      );
    },
  };
}
