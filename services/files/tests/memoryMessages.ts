import { fail } from '@nolo/kit/errors';
import { rpcService, type RpcHandlers } from '@nolo/kit/rpc';
import { ChatServiceService } from '@nolo/proto/chat';

/** chat as far as files can tell: where files were sent. */
export function memoryMessages() {
  /** The readers of each file that a message names. */
  const sent = new Map<string, Set<string>>();
  const state = { away: false, asked: 0 };

  const known: Pick<RpcHandlers<typeof ChatServiceService>, 'canReadFile' | 'listNamedFiles'> = {
    async canReadFile({ actorId, fileId }) {
      state.asked += 1;
      return { allowed: sent.get(fileId)?.has(actorId) ?? false };
    },
    async listNamedFiles({ fileIds }) {
      if (state.away) throw fail('unavailable', 'chat_away', 'Not now.');
      return { fileIds: fileIds.filter((id) => sent.has(id)) };
    },
  };
  const none = new Proxy(known, {
    get: (target, name) =>
      Reflect.get(target, name) ??
      (() => {
        throw new Error(`files asks chat for ${String(name)}, which it has no business with.`);
      }),
  }) as RpcHandlers<typeof ChatServiceService>;

  return { service: rpcService(ChatServiceService, none), sent, state };
}
