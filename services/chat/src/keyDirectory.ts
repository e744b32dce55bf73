import { readList } from '@nolo/e2ee';
import type { RpcClient } from '@nolo/kit/rpc';
import type { KeyServiceDefinition, ListState as ListStateMessage } from '@nolo/proto/keys';
import type { DeviceId, KeyDirectory, ListState } from './domain/epochPorts.ts';

/** Reads what identity says of an account's newest list. Returns undefined if there is none. */
export function readListState(message: ListStateMessage | undefined): ListState | undefined {
  const { list, hash, identity, suspended = [], keyless = [], deviceId, receivedAt } = message ?? {};
  if (!list || !hash || !identity) return undefined;
  const body = Uint8Array.from(list);
  return {
    newest: { list: readList({ body }), hash: Uint8Array.from(hash), identity: Uint8Array.from(identity) },
    body,
    suspended: new Set(suspended as DeviceId[]),
    keyless: new Set(keyless as DeviceId[]),
    device: deviceId as DeviceId | undefined,
    receivedAt,
  };
}

/** Asks identity about device lists. */
export function createKeyDirectory(keys: Pick<RpcClient<typeof KeyServiceDefinition>, 'getListState'>): KeyDirectory {
  return {
    stateOf: async (userId, sessionId) => readListState(await keys.getListState({ userId, sessionId })),
  };
}
