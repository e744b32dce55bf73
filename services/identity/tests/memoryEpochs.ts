import { fromUuid, hashOfHeader, readHeader, toHex } from '@nolo/e2ee';
import { createAppError } from '@nolo/kit/errors';
import { bindRpcService, type RpcHandlers } from '@nolo/kit/rpc';
import { EpochServiceDefinition, type CommitEpochRequest } from '@nolo/proto/epochs';

type Handlers = RpcHandlers<typeof EpochServiceDefinition>;

/**
 * Fake of the chat service: keeps the order of epochs as it does, and checks nothing else. `before` and `after` run
 * around each commit; what they throw is the answer.
 */
export function memoryEpochs() {
  const chains = new Map<string, string[]>();
  const requests: CommitEpochRequest[] = [];
  const hooks: { before?: (() => Promise<void>) | undefined; after?: (() => Promise<void>) | undefined } = {};

  /** Accounts that conversations name, with the members of those. */
  const named = new Map<string, readonly string[]>();

  const known: Pick<Handlers, 'commitEpoch' | 'findNamedAccounts'> = {
    findNamedAccounts: async ({ actorId, userIds }) => ({
      userIds: userIds.filter((id) => (actorId === undefined ? named.has(id) : named.get(id)?.includes(actorId))),
    }),

    async commitEpoch(request) {
      requests.push(request);
      await hooks.before?.();
      const { conversationId = '', epoch } = request;
      const statement = { body: Uint8Array.from(epoch?.header?.body ?? []) };
      const header = readHeader(statement);
      if (toHex(header.conversation) !== toHex(fromUuid(conversationId))) throw new Error('Another conversation.');
      const hash = await hashOfHeader(statement);
      const chain = chains.get(conversationId) ?? [];
      if (chain[header.n] !== toHex(hash)) {
        const previous = header.previous ? toHex(header.previous) : undefined;
        if (header.n !== chain.length || previous !== chain.at(-1))
          throw createAppError('conflict', 'epoch_stale', 'Another change was faster.', { n: chain.length - 1 });
        chains.set(conversationId, [...chain, toHex(hash)]);
      }
      await hooks.after?.();
      return { n: header.n, hash: Buffer.from(hash) };
    },
  };
  const service = new Proxy(known, {
    get: (target, name) =>
      Reflect.get(target, name) ??
      (() => {
        throw new Error(`identity must not call ${String(name)} of the chat service.`);
      }),
  }) as Handlers;

  return { service: bindRpcService(EpochServiceDefinition, service), requests, hooks, chains, named };
}
