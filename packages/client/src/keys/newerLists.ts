import {
  assertSignedBy,
  equalBytes,
  findDevice,
  readHeader,
  subjectOf,
  type Bytes,
  type PinRecord,
  type PlacedRecord,
  type Statement,
  type VaultState,
} from '@nolo/e2ee';
import { hasList, pinOf, type Chain } from './chains.ts';
import type { KeyContext } from './context.ts';
import { toVaultValues, type Vault } from './vault.ts';

/** Lists of the own account that only the vault knows (docs/encryption.md, section 6). */

/** Record of the vault that names a newer list than the server shows. */
export interface NewerRecord {
  /** Hash of the list. */
  readonly list: Bytes;
  /** Device that wrote the record. */
  readonly device: Bytes;
}

const isAside = ({ aside }: Vault, list: Bytes): boolean => aside.some((one) => equalBytes(one, list));

/** Returns the newer list that a header of the vault names. */
function newerIn(statement: Statement, { newest }: Chain): NewerRecord | undefined {
  const { changes, device } = readHeader(statement);
  const change = changes.find((one) => one.type === 3 && one.list.n > newest.list.n);
  return change?.type === 3 ? { list: change.list.hash, device } : undefined;
}

/**
 * Finds the newer list that a header of the vault names.
 *
 * @throws Refusal `signature` if the header names a listed device that did not sign it
 */
export async function findNewerList(statement: Statement, chain: Chain): Promise<NewerRecord | undefined> {
  const newer = newerIn(statement, chain);
  const author = newer && findDevice(chain.newest.list, newer.device);
  if (author) await assertSignedBy('header', author.signKey, statement);
  return newer;
}

/** Returns the headers before the first one whose list the user set aside: what follows that one builds on it. */
export function untilAside<T>(
  headers: readonly T[],
  vault: Vault,
  chain: Chain,
  statementOf: (one: T) => Statement,
): readonly T[] {
  const at = headers.findIndex((one) => {
    const newer = newerIn(statementOf(one), chain);
    return newer !== undefined && isAside(vault, newer.list);
  });
  return at === -1 ? headers : headers.slice(0, at);
}

/** Pins of the own identity with the highest number, unless the user set them aside. */
function ownPins({ pins }: VaultState, vault: Vault, chain: Chain) {
  const subject = subjectOf({ kind: 'pin', ...pinOf(chain), replaced: null, counter: 0 });
  return (pins.get(subject) ?? []).filter(
    ({ record }) => equalBytes(record.identity, chain.identity) && !isAside(vault, record.hash),
  );
}

const toNewer = (pin: PlacedRecord & { readonly record: PinRecord }): NewerRecord => ({
  list: pin.record.hash,
  device: pin.author,
});

/** Finds the newer list that a pin in the vault names. */
export function findNewerPin(state: VaultState, vault: Vault, chain: Chain): NewerRecord | undefined {
  const newer = ownPins(state, vault, chain).find(({ record }) => record.n > chain.newest.list.n);
  return newer && toNewer(newer);
}

/** Finds a list that a pin in the vault names and the chain lacks: a newer one, or another one with a number. */
export function findUnshownPin(state: VaultState, vault: Vault, chain: Chain): NewerRecord | undefined {
  const unshown = ownPins(state, vault, chain).find(({ record }) => !hasList(chain, record));
  return unshown && toNewer(unshown);
}

/** Returns the vault after the user set a list aside, which is stored. */
export async function withAside({ store }: KeyContext, vault: Vault, list: Bytes): Promise<Vault> {
  if (isAside(vault, list)) return vault;
  const after = { ...vault, aside: [...vault.aside, list] };
  await store.write(toVaultValues(after));
  return after;
}
