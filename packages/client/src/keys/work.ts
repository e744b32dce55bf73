import { routes, type OwnKeys } from '@nolo/api';
import { equalBytes, findDevice, fromUuid, toUuid, type Bytes, type ListedDevice } from '@nolo/e2ee';
import type { Chain } from './chains.ts';
import type { KeyContext } from './context.ts';
import { listBoxKeys, readDevice, type BoxKeySet, type DeviceKeys, type ReadyDevice } from './deviceKeys.ts';
import { checkReply, queryAfter, type ChainVerdict } from './fetchChain.ts';
import { KeysError } from './keysError.ts';
import type { NewerRecord } from './newerLists.ts';
import { isForked, loadVault, type Vault } from './vault.ts';
import type { VaultVerdict } from './vaultEpochs.ts';

/** Chain of the own account, once this device is one of its devices. */
export interface OwnAccount {
  readonly chain: Chain;
  /** Identities that others replaced. They never count again. */
  readonly replaced: readonly Bytes[];
}

/**
 * State that one task works with. It was read from the storage when the task began to run alone, because another tab
 * may have changed it; what a task changes, it has stored.
 */
export interface Work {
  device: DeviceKeys | undefined;
  boxes: readonly BoxKeySet[];
  own: OwnAccount | undefined;
  vault: Vault | undefined;
  /** Newest reply of the server in this task. */
  reply: OwnKeys | undefined;
  verdict: ChainVerdict | undefined;
  /** Chain that the server serves, if it is not the own one. */
  served: Chain | undefined;
  hasOldBoxKeys: boolean;
  vaultVerdict: VaultVerdict | undefined;
  /** Newer list of the account that only the vault knows: the vault's verdict is `ahead`. */
  newer: NewerRecord | undefined;
  /** True if the server serves the branch of the vault that this device goes on with. */
  servesVault: boolean;
  /** True if rows of the vault name others that the server does not show. */
  isVaultIncomplete: boolean;
}

export const ownKey = 'own';
/** Newest devices as the server described them, for a start without a network. */
export const ownDevicesKey = 'ownDevices';

/** Reads the stored state. */
export async function loadWork(context: KeyContext): Promise<Work> {
  const own = await context.store.read<OwnAccount>(ownKey);
  return {
    device: await readDevice(context),
    boxes: await listBoxKeys(context),
    own,
    vault: own && (await loadVault(context, own.chain)),
    reply: undefined,
    verdict: undefined,
    served: undefined,
    hasOldBoxKeys: false,
    vaultVerdict: undefined,
    newer: undefined,
    servesVault: false,
    isVaultIncomplete: false,
  };
}

/** Reads the device and its box keys again, after they were created or renewed. */
export async function reloadDevice(context: KeyContext, work: Work): Promise<void> {
  work.device = await readDevice(context);
  work.boxes = await listBoxKeys(context);
}

export const fetchOwn = ({ call }: KeyContext, query: { chain?: number; after?: number } = {}): Promise<OwnKeys> =>
  call(routes.getOwnKeys, { query });

/**
 * Fetches the account's own lists and checks them against the known ones.
 *
 * @throws ApiError if the server cannot be asked
 */
export async function refreshOwn(context: KeyContext, work: Work): Promise<void> {
  const known = work.own?.chain;
  const reply = await fetchOwn(context, queryAfter(known));
  const fetched = await checkReply(known, reply, (query) => fetchOwn(context, query));
  work.reply = reply;
  work.verdict = fetched.verdict;
  work.hasOldBoxKeys = fetched.hasOldBoxKeys;
  work.served = fetched.other ?? (known ? undefined : fetched.chain);
  const { other } = fetched;
  if (other && work.own?.replaced.some((identity) => equalBytes(identity, other.identity))) {
    work.verdict = 'old';
    work.served = undefined;
  }
  const values: Record<string, unknown> = { [ownDevicesKey]: reply.devices };
  if (work.own && fetched.chain && fetched.chain !== known) {
    work.own = { ...work.own, chain: fetched.chain };
    values[ownKey] = work.own;
  }
  await context.store.write(values);
}

/** Device as the newest own list has it; undefined if it lacks this device. */
export const listedSelf = ({ device, own }: Work): ListedDevice | undefined =>
  device && own && findDevice(own.chain.newest.list, device.id);

/** Devices that the server calls suspended. */
export const suspendedOf = ({ reply }: Work): Bytes[] => (reply?.suspended ?? []).map(fromUuid);

export interface JoinedWork {
  readonly ready: ReadyDevice;
  readonly own: OwnAccount;
  readonly vault: Vault;
}

/** Returns true if this device is one of the account's, as far as it knows. */
export const isJoined = (work: Work): boolean =>
  work.device?.isListed === true && listedSelf(work) !== undefined && work.verdict !== 'changed';

/**
 * Returns what a device of the account has.
 *
 * @throws KeysError `not_ready` if this is none
 */
export function requireJoined(work: Work): JoinedWork {
  const { device, boxes, own, vault } = work;
  if (!device || !own || !vault || !isJoined(work))
    throw new KeysError('not_ready', 'This device is not a device of the account.');
  return { ready: { device, boxes }, own, vault };
}

/** Returns true if the lists that the server showed last are in order: the vault's headers name them. */
export const isCertain = ({ verdict }: Work): boolean => verdict === 'same' || verdict === 'newer';

/** Verdicts that stop everything which signs or seals. */
export const isBlocked = ({ verdict, vaultVerdict, vault }: Work): boolean =>
  verdict === 'old' ||
  verdict === 'fork' ||
  verdict === 'refused' ||
  verdict === 'version' ||
  (vault !== undefined && isForked(vault)) ||
  vaultVerdict === 'old' ||
  vaultVerdict === 'fork' ||
  vaultVerdict === 'ahead' ||
  vaultVerdict === 'refused' ||
  vaultVerdict === 'version';

/** @throws KeysError `blocked` while the server shows what cannot be */
export function requireOpen(work: Work): JoinedWork {
  const joined = requireJoined(work);
  if (isBlocked(work) || joined.own.chain.fork)
    throw new KeysError('blocked', 'The server shows keys that cannot be. Nothing is signed until that ends.');
  return joined;
}

export const selfIdOf = ({ device }: Work): string | null => (device ? toUuid(device.id) : null);
