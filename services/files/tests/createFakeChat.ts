import { createAppError } from '@nolo/kit/errors';
import { bindRpcService, type RpcHandlers } from '@nolo/kit/rpc';
import { ChatServiceDefinition } from '@nolo/proto/chat';
import type { Conversation, Message } from '@nolo/proto/conversation';
import type { Invitation } from '@nolo/proto/admission';
import { EpochServiceDefinition, type ExportedVaultItem } from '@nolo/proto/epochs';
import { GroupServiceDefinition } from '@nolo/proto/groups';
import { MessageActionServiceDefinition } from '@nolo/proto/messageActions';

/** Fake of chat: the recipients of files. */
export function createFakeChat() {
  /** Readers of each file that a message uses. */
  const sent = new Map<string, Set<string>>();
  const state = { away: false, calls: 0 };
  /** Data that the exported account may read. */
  const kept = {
    conversations: [] as Conversation[],
    messages: [] as Message[],
    invitations: [] as Invitation[],
    vaults: [] as ExportedVaultItem[],
    /** Number of reads started, and a gate before the second message. */
    reads: 0,
    gate: Promise.resolve(),
  };

  const known: Pick<
    RpcHandlers<typeof ChatServiceDefinition>,
    'canReadFile' | 'listNamedFiles' | 'listConversations' | 'getConversation' | 'exportMessages'
  > = {
    listConversations: async () => ({ conversations: kept.conversations, nextCursor: undefined, cursors: [] }),
    async getConversation({ conversationId }) {
      const found = kept.conversations.find(({ id }) => id === conversationId);
      if (!found) throw createAppError('not_found', 'conversation_not_found', 'Conversation not found.');
      return found;
    },
    async *exportMessages(_request, { signal }) {
      kept.reads += 1;
      for (const [at, message] of kept.messages.entries()) {
        if (at === 1)
          await Promise.race([kept.gate, new Promise((resolve) => signal.addEventListener('abort', resolve))]);
        if (signal.aborted) return;
        yield message;
      }
    },
    async canReadFile({ actorId, fileId }) {
      state.calls += 1;
      return { allowed: sent.get(fileId)?.has(actorId) ?? false };
    },
    async listNamedFiles({ fileIds }) {
      if (state.away) throw createAppError('unavailable', 'chat_away', 'Not now.');
      return { fileIds: fileIds.filter((id) => sent.has(id)) };
    },
  };
  const none = new Proxy(known, {
    get: (target, name) =>
      Reflect.get(target, name) ??
      (() => {
        throw new Error(`files must not call ${String(name)} of the chat service.`);
      }),
  }) as RpcHandlers<typeof ChatServiceDefinition>;

  const noStars = new Proxy({}, { get: () => async () => ({ starred: [], nextCursor: undefined }) }) as RpcHandlers<
    typeof MessageActionServiceDefinition
  >;
  const messageActions = bindRpcService(MessageActionServiceDefinition, noStars);
  const onlyInvitations = new Proxy({}, { get: () => async () => ({ invitations: kept.invitations }) }) as RpcHandlers<
    typeof GroupServiceDefinition
  >;
  const groups = bindRpcService(GroupServiceDefinition, onlyInvitations);
  const onlyVaults = new Proxy(
    {},
    {
      get: () =>
        async function* () {
          yield* kept.vaults;
        },
    },
  ) as RpcHandlers<typeof EpochServiceDefinition>;
  const epochs = bindRpcService(EpochServiceDefinition, onlyVaults);
  return { service: bindRpcService(ChatServiceDefinition, none), epochs, groups, messageActions, sent, state, kept };
}
