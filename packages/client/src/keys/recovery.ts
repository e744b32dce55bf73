import { routes } from '@nolo/api';
import {
  createRecoverySeed,
  deriveRecoveryKeys,
  equalBytes,
  findDevice,
  fromRecoveryWords,
  fromUuid,
  Refusal,
  toListedRecovery,
  unwrapRecoverySeed,
  wrapRecoverySeed,
  type Bytes,
  type DeviceList,
  type RecoveryKeys,
} from '@nolo/e2ee';
import type { Chain } from './chains.ts';
import type { KeyContext } from './context.ts';
import { dropDevice, ensureUnlistedDevice, firstBoxKeysOf, restoreFormer } from './deviceKeys.ts';
import { checkReply } from './fetchChain.ts';
import { settleFirst } from './firstKeys.ts';
import { KeysError, NewerListError } from './keysError.ts';
import { isOvertaken, signFirst, signNext, submitList } from './lists.ts';
import { findUnshownPin, withAside, type NewerRecord } from './newerLists.ts';
import { describeNewer } from './newerQuestion.ts';
import { sendPending } from './pendingLists.ts';
import { isOpen, loadVault, type Vault } from './vault.ts';
import { syncEpochs } from './vaultEpochs.ts';
import { syncRows } from './vaultRows.ts';
import type { VaultReader } from './vaultState.ts';
import { openersOf } from './vaultWork.ts';
import { fromText, toText } from './wire.ts';
import { fetchOwn, isJoined, refreshOwn, reloadDevice, requireOpen, suspendedOf, type Work } from './work.ts';

/** Recovery words and passkeys (docs/encryption.md, section 3, Recovery). */

const maxAttempts = 5;

export const createSeed = createRecoverySeed;

/** @throws KeysError `wrong_words` for anything but 24 words with their checksum */
export function readWords(words: string): Bytes {
  try {
    return fromRecoveryWords(words);
  } catch (error) {
    if (error instanceof Refusal)
      throw new KeysError('wrong_words', 'These are not the words of a recovery key.', error);
    throw error;
  }
}

/** Returns the keys of a seed if it is the one of the list; null otherwise. */
async function keysIn(list: DeviceList, seed: Bytes, account: Bytes): Promise<RecoveryKeys | null> {
  const keys = await deriveRecoveryKeys(seed, account);
  return list.recovery && equalBytes(list.recovery.signKey, keys.signing.publicKey) ? keys : null;
}

async function requireKeys(list: DeviceList, seed: Bytes, account: Bytes): Promise<RecoveryKeys> {
  if (!list.recovery) throw new KeysError('no_recovery', 'The account has no recovery key.');
  const keys = await keysIn(list, seed, account);
  if (!keys) throw new KeysError('wrong_words', 'These are the words of another recovery key.');
  return keys;
}

/** Returns true if the words are those of the newest list. */
export async function checkWords({ account }: KeyContext, work: Work, words: string): Promise<boolean> {
  const list = (work.own?.chain ?? work.served)?.newest.list;
  if (!list?.recovery) return false;
  try {
    return (await keysIn(list, readWords(words), account)) !== null;
  } catch (error) {
    if (error instanceof KeysError) return false;
    throw error;
  }
}

/** Returns true if this device may set the first words: it is the most senior one of a person. */
export function maySetWords({ device, own }: Work): boolean {
  const senior = own?.chain.newest.list.devices.find(({ kind }) => kind !== 2);
  return device !== undefined && senior !== undefined && equalBytes(senior.id, device.id);
}

/**
 * Makes the words of a seed the account's recovery key, in one request with the vault's next epoch.
 *
 * @param current words of the recovery key that it replaces
 * @throws KeysError, ApiError
 */
export async function setWords(
  context: KeyContext,
  work: Work,
  reader: VaultReader,
  seed: Bytes,
  current: string | undefined,
): Promise<void> {
  const { account } = context;
  await submitList(context, work, reader, async ({ own }) => {
    const chain = own?.chain;
    if (!chain) throw new KeysError('not_ready', 'This device is not a device of the account.');
    const { list } = chain.newest;
    const recovery = await toListedRecovery(await deriveRecoveryKeys(seed, account), account, chain.identity);
    if (!list.recovery) {
      if (!maySetWords(work))
        throw new KeysError('not_allowed', 'Only the most senior device may set the first words.');
      return { purpose: 'words', recovery };
    }
    if (current === undefined) throw new KeysError('wrong_words', 'The current words are needed.');
    const { signing } = await requireKeys(list, readWords(current), account);
    return { purpose: 'words', recovery, signing, removes: true };
  });
}

/** Stores the seed as a passkey wraps it. */
export async function wrapSeed(
  { account, call }: KeyContext,
  work: Work,
  seed: Bytes,
  passkeyId: string,
  prf: Bytes,
): Promise<void> {
  const { own } = requireOpen(work);
  const { signing } = await requireKeys(own.chain.newest.list, seed, account);
  const wrapped = toText(await wrapRecoverySeed(seed, prf, account, signing.publicKey));
  await call(routes.putRecoverySeed, { params: { id: passkeyId }, body: { wrapped } });
}

export type RecoveryMeans = { readonly words: string } | { readonly passkeyId: string; readonly prf: Uint8Array };

/** Account as the server serves it, checked from list 0. */
async function fetchWhole(context: KeyContext, work: Work): Promise<Chain> {
  const reply = await fetchOwn(context);
  work.reply = reply;
  const { chain } = await checkReply(undefined, reply, (query) => fetchOwn(context, query));
  if (!chain) throw new KeysError('blocked', 'The server shows no device lists that are in order.');
  const known = work.own?.chain;
  const isSame = known && equalBytes(known.identity, chain.identity);
  if (isSame && known.newest.list.n > chain.newest.list.n)
    throw new KeysError('newer_list', 'This device knows a newer device list than the server shows.');
  return chain;
}

async function seedOf({ account }: KeyContext, { reply }: Work, list: DeviceList, by: RecoveryMeans): Promise<Bytes> {
  if ('words' in by) return readWords(by.words);
  const found = reply?.seeds.find(({ passkeyId }) => passkeyId === by.passkeyId);
  if (!found || !list.recovery) throw new KeysError('wrong_passkey', 'This passkey wraps no recovery seed.');
  try {
    return await unwrapRecoverySeed(fromText(found.wrapped), Uint8Array.from(by.prf), account, list.recovery.signKey);
  } catch (error) {
    if (error instanceof Refusal)
      throw new KeysError('wrong_passkey', 'This passkey does not open the recovery seed.', error);
    throw error;
  }
}

/** Vault that the recovery key's box opened, as far as no record names a newer list than the server shows. */
interface OpenedVault {
  readonly vault: Vault;
  readonly newer: NewerRecord | undefined;
}

/**
 * Opens the vault with the recovery key's box.
 *
 * @throws KeysError `blocked`
 */
async function openVault(
  context: KeyContext,
  work: Work,
  reader: VaultReader,
  chain: Chain,
  { keys, setsAside }: { readonly keys: RecoveryKeys; readonly setsAside: string | undefined },
): Promise<OpenedVault> {
  const loaded = await loadVault(context, chain);
  const known = setsAside === undefined ? loaded : await withAside(context, loaded, fromText(setsAside));
  const { verdict, vault, newer } = await syncEpochs(context, known, chain, openersOf(work, keys.boxes));
  if (verdict === 'ahead') return { vault, newer };
  if (verdict !== 'same' && verdict !== 'newer') throw new KeysError('blocked', 'The vault is not in order.');
  const read = await syncRows(context, chain, vault);
  const { state } = await reader.read(chain, read);
  return { vault: read, newer: findUnshownPin(state, read, chain) };
}

export interface RecoveryChoices {
  /** Ids of the devices that the user calls lost: they leave. */
  readonly lost: readonly string[];
  /** Newer list that the user sets aside. */
  readonly setsAside?: string | undefined;
}

/**
 * Brings this device in by the recovery key.
 *
 * @throws NewerListError if the vault knows a newer list than the server shows; KeysError, ApiError
 */
export async function recoverAccount(
  context: KeyContext,
  work: Work,
  reader: VaultReader,
  by: RecoveryMeans,
  { lost, setsAside }: RecoveryChoices,
): Promise<void> {
  if (isJoined(work)) throw new KeysError('not_allowed', 'This device is a device of the account already.');
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const chain = await fetchWhole(context, work);
    const { list } = chain.newest;
    const keys = await requireKeys(list, await seedOf(context, work, list, by), context.account);
    const isTaken = work.device !== undefined && findDevice(list, work.device.id) !== undefined;
    const ready = await ensureUnlistedDevice(context, isTaken);
    await reloadDevice(context, work);
    const { vault, newer } = await openVault(context, work, reader, chain, { keys, setsAside });
    // The list may have been added by another device after this one fetched the chain.
    if (newer && attempt === 0) continue;
    if (newer) throw new NewerListError(await describeNewer(context, work, newer));
    const { id, kind, signing } = ready.device;
    const remove = lost.map(fromUuid).filter((one) => findDevice(list, one));
    // The session's former device is this one, before its storage was emptied: its removal takes nothing from anyone.
    const takes = lost.some((one) => work.reply?.devices.find(({ id }) => id === one)?.current !== true);
    const base = { chain, vault, device: ready.device, reason: isOpen(vault) ? 1 : 3 } as const;
    await signNext(context, base, suspendedOf(work), {
      purpose: 'recover',
      add: [{ id, kind, signKey: signing.publicKey }],
      boxKeys: [firstBoxKeysOf(ready)],
      remove,
      signing: keys.signing,
      removes: takes,
    });
    const sent = await sendPending(context, work);
    if (sent?.outcome === 'accepted') return;
    if (sent && !isOvertaken(sent.error.code)) throw sent.error;
  }
  if (setsAside !== undefined)
    throw new KeysError('newer_list', 'The server keeps what follows the newer list, and does not show that list.');
  throw new KeysError('conflict', 'Other devices changed the keys at the same time.');
}

/**
 * Begins a new identity with new keys. The former keys come back if the server refuses.
 *
 * @throws ApiError
 */
export async function startOver(context: KeyContext, work: Work): Promise<void> {
  if (work.device) await dropDevice(context);
  await reloadDevice(context, work);
  await signFirst(context, work, 'identity');
  const sent = await sendPending(context, work);
  await settleFirst(context, work, sent);
  if (sent?.outcome === 'refused') throw sent.error;
  await refreshOwn(context, work);
}

/** Brings back a device that was set aside, once the server shows its list again. */
export async function restoreDevice(context: KeyContext, work: Work): Promise<void> {
  await restoreFormer(context);
  await reloadDevice(context, work);
}
