import { readList, type Bytes } from '@nolo/e2ee';
import type { RpcClient } from '@nolo/kit/rpc';
import type { KeyServiceDefinition, ListState as ListStateMessage } from '@nolo/proto/keys';
import type { DeviceId, KeyDirectory, ListState } from './domain/epochPorts.ts';

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

/** Asks identity about device lists. */
export function createKeyDirectory(keys: Pick<RpcClient<typeof KeyServiceDefinition>, 'getListState'>): KeyDirectory {
  return {
    stateOf: async (userId, sessionId, named) =>
      readListState(await keys.getListState({ userId, sessionId, named: named && Buffer.from(named) }), named),
  };
}
