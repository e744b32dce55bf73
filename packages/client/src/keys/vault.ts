import {
  equalBytes,
  findDevice,
  openMessage,
  readRoster,
  Refusal,
  vaultIdOf,
  type BoundMessage,
  type Bytes,
  type CheckedEpoch,
  type Member,
  type Statement,
} from '@nolo/e2ee';
import { resolverOf, type Chain } from './chains.ts';
import type { KeyContext } from './context.ts';
import { fromText, nameOf, padNumber } from './wire.ts';

/** Vault of the account as this device's storage has it (docs/encryption.md, section 6). */

export interface StoredEpoch {
  readonly n: number;
  readonly hash: Bytes;
  readonly statement: Statement;
  /** Members in canonical encoding. */
  readonly roster: Bytes;
  readonly previousSecret: Bytes | null;
  /** Null while this device could not open it. */
  readonly secret: Bytes | null;
}

export interface StoredRow {
  readonly row: number;
  readonly clientMessageId: Bytes;
  readonly own: readonly Bytes[];
  readonly sealed: Bytes;
  readonly n: number;
  readonly device: Bytes;
  readonly hash: Bytes;
}

/** Record that waits to be appended, in the order of `key`. */
export interface OutgoingRecord {
  readonly key: string;
  readonly clientMessageId: string;
  /** Encoded record. */
  readonly secret: Bytes;
  /** Sealed form, once it was sealed. The same bytes are repeated. */
  readonly sealed: SealedRecord | null;
}

export interface SealedRecord {
  readonly bytes: Bytes;
  /** Epoch that it is sealed for: the other branch of a fork has another one with this number. */
  readonly headerHash: Bytes;
  readonly own: readonly Bytes[];
  /** True if other bytes may have been stored under the same client's id. */
  readonly isAgain: boolean;
}

/** Restart of the vault by another device, about which this device asks its user. */
export interface VaultRestart {
  readonly n: number;
  readonly hash: Bytes;
  readonly device: Bytes;
  /** Null until the user answers. */
  readonly isAccepted: boolean | null;
  /** True once this device appended again what it holds. */
  readonly isReturned: boolean;
}

interface VaultMeta {
  /** Newest header, checked along the chain. */
  readonly head: CheckedEpoch | null;
  /** Row after which the server is asked. */
  readonly lastRow: number;
  /** Newest headers of the other branches that the server showed, while no change 8 decided (section 4). */
  readonly forks: readonly Bytes[];
  /** Headers with which a question about a fork was answered by yes. */
  readonly agreed: readonly Bytes[];
  /** Hashes of newer lists of the account that only the vault knows, and that the user set aside. */
  readonly aside: readonly Bytes[];
  /** True while the rows of a branch that this device left have not been appended to the other one. */
  readonly isMerging: boolean;
  /** First request for the secret of the newest epoch. */
  readonly nack: { readonly n: number; readonly at: number } | null;
  /** Last request for it. */
  readonly askedAt: number | null;
  /** Last time when all rows were read back. */
  readonly readBackAt: number;
  /** Restarts by other devices, ascending; absent in what was stored before there were any. */
  readonly restarts?: readonly VaultRestart[];
}

export interface Vault extends VaultMeta {
  readonly id: Bytes;
  readonly epochs: readonly StoredEpoch[];
  /** Epochs of other branches. Their secrets are kept. */
  readonly others: readonly StoredEpoch[];
  readonly rows: readonly StoredRow[];
}

const prefixOf = (id: Bytes): string => `vault/${nameOf(id)}/`;
const metaKeyOf = (id: Bytes): string => `${prefixOf(id)}meta`;
const outgoingPrefixOf = (id: Bytes): string => `${prefixOf(id)}out/`;

const emptyMeta: VaultMeta = {
  head: null,
  lastRow: -1,
  forks: [],
  agreed: [],
  aside: [],
  isMerging: false,
  nack: null,
  askedAt: null,
  readBackAt: 0,
};

/** Reads the vault of a chain's identity. */
export async function loadVault({ store }: KeyContext, { account, identity }: Chain): Promise<Vault> {
  const id = await vaultIdOf(account, identity);
  const meta = { ...emptyMeta, ...(await store.read<VaultMeta>(metaKeyOf(id))) };
  const epochs = await store.list<StoredEpoch>(`${prefixOf(id)}epochs/`);
  const others = await store.list<StoredEpoch>(`${prefixOf(id)}others/`);
  const rows = await store.list<StoredRow>(`${prefixOf(id)}rows/`);
  return { ...meta, id, epochs, others, rows };
}

/** Values that store a vault's change, for a write together with others. */
export function toVaultValues(
  vault: Vault,
  changed: { epochs?: readonly StoredEpoch[]; rows?: readonly StoredRow[] } = {},
): Record<string, unknown> {
  const { id, epochs: _, others: __, rows: ___, ...meta } = vault;
  const values: Record<string, unknown> = { [metaKeyOf(id)]: meta };
  for (const one of changed.epochs ?? []) values[`${prefixOf(id)}epochs/${padNumber(one.n)}`] = one;
  for (const one of changed.rows ?? []) values[`${prefixOf(id)}rows/${padNumber(one.row)}`] = one;
  return values;
}

/** Values that store which epochs the vault has, and which ones are of other branches, after it was changed. */
export function toEpochValues(before: Vault, after: Vault): Record<string, unknown> {
  const [was, is] = [toEpochEntries(before), toEpochEntries(after)];
  const gone = [...was.keys()].filter((key) => !is.has(key)).map((key) => [key, undefined] as const);
  const changed = [...is].filter(([key, epoch]) => was.get(key) !== epoch);
  return { ...Object.fromEntries<StoredEpoch | undefined>([...gone, ...changed]), ...toVaultValues(after) };
}

const toEpochEntries = ({ id, epochs, others }: Vault): Map<string, StoredEpoch> =>
  new Map([
    ...epochs.map((one) => [`${prefixOf(id)}epochs/${padNumber(one.n)}`, one] as const),
    ...others.map((one) => [`${prefixOf(id)}others/${padNumber(one.n)}-${nameOf(one.hash)}`, one] as const),
  ]);

/** Values that delete a row which a snapshot covers. */
export const toRowDeletion = (id: Bytes, row: number): Record<string, unknown> => ({
  [`${prefixOf(id)}rows/${padNumber(row)}`]: undefined,
});

/** Returns the vault with epochs and rows replaced or added. */
export function withStored(
  vault: Vault,
  changed: { epochs?: readonly StoredEpoch[]; rows?: readonly StoredRow[] },
): Vault {
  const merge = <T>(known: readonly T[], more: readonly T[], at: (one: T) => number): T[] =>
    [...new Map([...known, ...more].map((one) => [at(one), one])).values()].toSorted((a, b) => at(a) - at(b));
  return {
    ...vault,
    epochs: merge(vault.epochs, changed.epochs ?? [], ({ n }) => n),
    rows: merge(vault.rows, changed.rows ?? [], ({ row }) => row),
  };
}

export const listOutgoing = ({ store }: KeyContext, id: Bytes): Promise<readonly OutgoingRecord[]> =>
  store.list<OutgoingRecord>(outgoingPrefixOf(id));

/** Values that store or delete a record that waits. */
export const toOutgoingValue = (
  id: Bytes,
  key: string,
  record: OutgoingRecord | undefined,
): Record<string, unknown> => ({
  [outgoingPrefixOf(id) + key]: record,
});

/** Newest epoch as stored; undefined if there is none. */
export const newestEpoch = ({ epochs }: Vault): StoredEpoch | undefined => epochs.at(-1);

/** Returns true while branches stand against each other: nothing is appended then. */
export const isForked = ({ forks }: Vault): boolean => forks.length > 0;

/** Returns true if this device has the newest secret, and so can read and append. */
export const isOpen = (vault: Vault): boolean => (newestEpoch(vault)?.secret ?? null) !== null && !isForked(vault);

/** Epochs with a number: the vault's own one, and then those of other branches. */
export const epochsAt = ({ epochs, others }: Vault, n: number): StoredEpoch[] =>
  [...epochs, ...others].filter((one) => one.n === n);

/** Member of an epoch: the account itself. */
export const memberOf = ({ roster }: StoredEpoch): Member | undefined => readRoster(roster)[0];

/** Builds what a row of the vault seals, from what the server's row says. */
export const boundOf = (
  { account }: Chain,
  vaultId: Bytes,
  epoch: Pick<StoredEpoch, 'n' | 'hash'>,
  row: { readonly clientMessageId: Bytes; readonly device: Bytes; readonly own: readonly Bytes[] },
): BoundMessage => ({
  conversation: vaultId,
  epoch: epoch.n,
  headerHash: epoch.hash,
  clientMessageId: row.clientMessageId,
  account,
  device: row.device,
  type: 'vault',
  version: 0,
  mentions: [],
  files: [],
  hasLink: false,
  timer: 0,
  held: false,
  target: null,
  own: row.own,
});

/** Signing key of a device that the epoch's roster contains. */
export function signKeyIn(chain: Chain, epoch: StoredEpoch, device: Bytes): Bytes | undefined {
  const member = memberOf(epoch);
  if (!member?.list || !member.devices.some((one) => equalBytes(one, device))) return undefined;
  const list = resolverOf(chain)(chain.account, member.list);
  return list && findDevice(list.list, device)?.signKey;
}

/**
 * Opens what a row of the vault seals, as one of an epoch that has its number.
 *
 * @param boundIn returns what the row seals if it is one of this epoch
 * @returns the content and the epoch, or undefined if this device lacks the secret
 * @throws Refusal if the row is not what a device of such an epoch sealed
 */
export async function openInEpoch(
  chain: Chain,
  vault: Vault,
  { n, device, sealed }: { readonly n: number; readonly device: Bytes; readonly sealed: Bytes },
  boundIn: (epoch: StoredEpoch) => BoundMessage,
): Promise<{ readonly epoch: StoredEpoch; readonly content: string } | undefined> {
  let refusal: Refusal | undefined;
  let isClosed = false;
  for (const epoch of epochsAt(vault, n)) {
    const signKey = signKeyIn(chain, epoch, device);
    if (!signKey) continue;
    if (!epoch.secret) {
      isClosed = true;
      continue;
    }
    try {
      const key = { n, headerHash: epoch.hash, secret: epoch.secret };
      const { content } = await openMessage(sealed, key, boundIn(epoch), signKey);
      return { epoch, content };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      refusal ??= error;
    }
  }
  if (refusal && !isClosed) throw refusal;
  return undefined;
}

/**
 * Opens a row's record.
 *
 * @returns the encoded record, or undefined if this device lacks the secret
 * @throws Refusal if the row is not what a device of its epoch sealed
 */
export async function openRow(chain: Chain, vault: Vault, row: StoredRow): Promise<Bytes | undefined> {
  const opened = await openInEpoch(chain, vault, row, (epoch) => boundOf(chain, vault.id, epoch, row));
  return opened && fromText(opened.content);
}
