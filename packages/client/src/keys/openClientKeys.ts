import { routes } from '@nolo/api';
import { ApiError } from '../http/request.ts';
import type { RouteCaller } from '../http/httpClient.ts';
import type { Timers } from '../ports.ts';
import { openKeys, type KeysWithConversations } from './openKeys.ts';
import type { DeviceKeyStorage, KeysPorts } from './ports.ts';

export interface ClientKeysOptions extends Pick<KeysPorts, 'announce'> {
  /** Storage of this account's keys. The caller closes it after `stop`. */
  readonly storage: DeviceKeyStorage;
  /** 0 browser, 1 program with a screen of its own (default). */
  readonly kind?: KeysPorts['kind'];
}

interface Connection extends Pick<RouteCaller, 'call'> {
  readonly timers: Timers;
  newId(): string;
}

const ownerKey = 'owner';

/** Returns the account's id. While the server is unreachable, the storage knows it. */
async function findOwner({ call }: Connection, storage: DeviceKeyStorage): Promise<string> {
  const stored = (await storage.read(ownerKey)) as string | undefined;
  try {
    const { id } = await call(routes.getSelf);
    if (stored !== undefined && stored !== id) throw new Error('The storage has the keys of another account.');
    if (stored === undefined) await storage.write({ [ownerKey]: id });
    return id;
  } catch (error) {
    if (stored !== undefined && error instanceof ApiError && error.passing) return stored;
    throw error;
  }
}

/**
 * Opens the keys of the signed-in account's device. Nothing is created before `start`.
 *
 * @throws ApiError if the account is not known; Error if the storage belongs to another one
 */
export async function openClientKeys(
  connection: Connection,
  { storage, kind = 1, announce }: ClientKeysOptions,
): Promise<KeysWithConversations> {
  const { call, timers, newId } = connection;
  const userId = await findOwner(connection, storage);
  const { runAlone, keyForm } = storage;
  // Clock: the device's own, by which secrets under a timer go.
  const deviceNow = () => Date.now();
  const ports = { userId, kind, storage, runAlone, keyForm, call, timers, deviceNow, newId };
  return openKeys({ ...ports, ...(announce && { announce }) });
}
