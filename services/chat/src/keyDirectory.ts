import { equalBytes, readList, type Bytes } from '@nolo/e2ee';
import type { SessionId, UserId } from '@nolo/kit/ids';
import type { RpcClient } from '@nolo/kit/rpc';
import type { AccountListState, KeyServiceDefinition, ListState as ListStateMessage } from '@nolo/proto/keys';
import type { AccountQuery, AccountState, DeviceId, KeyDirectory, KnownList, ListState } from './domain/epochPorts.ts';

/** Accounts per request, so that replies stay well below the maximum size of a message. */
const accountsAtOnce = 200;

/**
 * Reads identity's answer about an account's newest list. Returns undefined for an account without lists.
 *
 * @param namedHash hash of another list that was requested
 */
export function readListState(message: ListStateMessage | undefined, namedHash?: Bytes): ListState | undefined {
  const { list, hash, identity, suspended = [], keyless = [], deviceId, receivedAt } = message ?? {};
  if (!list || !hash || !identity) return undefined;
  const body = Uint8Array.from(list);
  const newest = { list: readList({ body }), hash: Uint8Array.from(hash), identity: Uint8Array.from(identity) };
  const named = message?.named && Uint8Array.from(message.named);
  return {
    newest,
    body,
    named: named && namedHash && { list: { ...newest, list: readList({ body: named }), hash: namedHash }, body: named },
    suspended: new Set(suspended as DeviceId[]),
    keyless: new Set(keyless as DeviceId[]),
    device: deviceId as DeviceId | undefined,
    receivedAt,
  };
}

interface ListMessage {
  hash?: Uint8Array | undefined;
  identity?: Uint8Array | undefined;
  list?: Uint8Array | undefined;
}

/** Reads a list of a reply, or takes the one that is here already. */
function readKnownList({ hash, identity, list }: ListMessage, known: readonly KnownList[]): KnownList | undefined {
  if (!hash || !identity) return undefined;
  if (!list) return known.find(({ checked }) => equalBytes(checked.hash, hash));
  const body = Uint8Array.from(list);
  const checked = { list: readList({ body }), hash: Uint8Array.from(hash), identity: Uint8Array.from(identity) };
  return { checked, body };
}

function readAccount(message: AccountListState, known: readonly KnownList[]): AccountState | undefined {
  const newest = readKnownList(message, known);
  const { firstAt, suspended, keyless, outdated, deviceId } = message;
  if (!newest || !firstAt) return undefined;
  return {
    newest,
    firstAt,
    suspended: new Set(suspended as DeviceId[]),
    keyless: new Set(keyless as DeviceId[]),
    outdated: new Set(outdated as DeviceId[]),
    device: deviceId as DeviceId | undefined,
    named: message.named.flatMap((named) => {
      const list = readKnownList(named, known);
      return list ? [{ ...list, supersededAt: named.supersededAt }] : [];
    }),
  };
}

type Keys = Pick<RpcClient<typeof KeyServiceDefinition>, 'getListState' | 'findListStates'>;

async function findSome(
  keys: Keys,
  queries: readonly AccountQuery[],
  sessionId: SessionId | undefined,
): Promise<[UserId, AccountState][]> {
  const accounts = queries.map(({ userId, named, known }) => ({
    userId,
    named: named.map((hash) => Buffer.from(hash)),
    known: known.map(({ checked }) => Buffer.from(checked.hash)),
  }));
  const found = await keys.findListStates({ sessionId, accounts });
  const known = new Map(queries.map((query) => [query.userId, query.known]));
  return found.accounts.flatMap((message): [UserId, AccountState][] => {
    const userId = message.userId as UserId;
    const state = readAccount(message, known.get(userId) ?? []);
    return state ? [[userId, state]] : [];
  });
}

/** Asks identity about device lists. */
export function createKeyDirectory(keys: Keys): KeyDirectory {
  return {
    stateOf: async (userId, sessionId, named) =>
      readListState(await keys.getListState({ userId, sessionId, named: named && Buffer.from(named) }), named),

    async statesOf(queries, sessionId) {
      const states = new Map<UserId, AccountState>();
      for (let at = 0; at < queries.length; at += accountsAtOnce)
        for (const [userId, state] of await findSome(keys, queries.slice(at, at + accountsAtOnce), sessionId))
          states.set(userId, state);
      return states;
    },
  };
}
