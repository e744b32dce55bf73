import { routes } from '@nolo/api';
import {
  decodeRecord,
  encodeRecord,
  equalBytes,
  fromUuid,
  hashOfRow,
  maxOwnRows,
  sealMessage,
  subjectOf,
  toUuid,
  withRecords,
  type Bytes,
  type PlacedRecord,
  type VaultRecord,
  type VaultState,
} from '@nolo/e2ee';
import { ApiError } from '../http/request.ts';
import type { Chain } from './chains.ts';
import type { KeyContext } from './context.ts';
import type { DeviceKeys } from './deviceKeys.ts';
import {
  boundOf,
  isOpen,
  listOutgoing,
  newestEpoch,
  toOutgoingValue,
  toVaultValues,
  withStored,
  type OutgoingRecord,
  type SealedRecord,
  type Vault,
} from './vault.ts';
import { nameOf, padNumber, toText } from './wire.ts';

/** Appending records to the vault: durable first, sealed when their turn comes, repeated until acknowledged. */

const subjectOrNull = (record: VaultRecord): string | null => (record.kind === 'snapshot' ? null : subjectOf(record));

const knownRecords = new WeakMap<OutgoingRecord, VaultRecord>();

/** Returns the record that waits. Tasks look at the same ones again and again. */
function recordOf(waiting: OutgoingRecord): VaultRecord {
  const known = knownRecords.get(waiting) ?? decodeRecord(waiting.secret);
  knownRecords.set(waiting, known);
  return known;
}

/** Values that store records which wait. A record that was not sealed yet gives way to a later one of its subject. */
export async function toQueued(
  context: KeyContext,
  vaultId: Bytes,
  records: readonly VaultRecord[],
): Promise<Record<string, unknown>> {
  const values = toQueuedBeside(context, vaultId, records);
  const subjects = new Set(records.map(subjectOrNull));
  for (const waiting of await listOutgoing(context, vaultId)) {
    const subject = subjectOrNull(recordOf(waiting));
    if (!waiting.sealed && subject !== null && subjects.has(subject))
      Object.assign(values, toOutgoingValue(vaultId, waiting.key, undefined));
  }
  return values;
}

/** Values that store records which wait beside the ones that wait already. */
export function toQueuedBeside(
  context: KeyContext,
  vaultId: Bytes,
  records: readonly VaultRecord[],
): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  records.forEach((record, at) => {
    const clientMessageId = context.newId();
    const key = `${padNumber(context.now())}-${padNumber(at)}-${clientMessageId}`;
    const waiting: OutgoingRecord = { key, clientMessageId, secret: encodeRecord(record), sealed: null };
    Object.assign(values, toOutgoingValue(vaultId, key, waiting));
  });
  return values;
}

/** States with waiting records, by the list of these, which the store keeps until it changes. */
const knownStates = new WeakMap<
  readonly OutgoingRecord[],
  { readonly before: VaultState; readonly device: Bytes; readonly after: VaultState }
>();

/** Returns the state with the records that wait, which count on this device at once. */
export async function withWaiting(
  context: KeyContext,
  vaultId: Bytes,
  device: Bytes,
  state: VaultState,
): Promise<VaultState> {
  const placed: PlacedRecord[] = [];
  const outgoing = await listOutgoing(context, vaultId);
  const known = knownStates.get(outgoing);
  if (known?.before === state && known.device === device) return known.after;
  for (const waiting of outgoing) {
    const record = recordOf(waiting);
    if (record.kind !== 'snapshot') placed.push({ row: Number.MAX_SAFE_INTEGER, author: device, record });
  }
  const after = withRecords(state, placed);
  knownStates.set(outgoing, { before: state, device, after });
  return after;
}

/** Hashes of this device's rows that no row of it names yet. */
function unnamedRows({ rows }: Vault, device: Bytes): Bytes[] {
  const own = rows.filter((row) => equalBytes(row.device, device));
  const named = new Set(own.flatMap((row) => row.own.map(nameOf)));
  return own.map(({ hash }) => hash).filter((hash) => !named.has(nameOf(hash)));
}

async function sealRecord(
  { now }: KeyContext,
  { chain, vault, device }: Appending,
  waiting: OutgoingRecord,
): Promise<SealedRecord> {
  const epoch = newestEpoch(vault);
  if (!epoch?.secret) throw new Error('The vault is closed.');
  const own = unnamedRows(vault, device.id).slice(0, maxOwnRows);
  const row = { clientMessageId: fromUuid(waiting.clientMessageId), device: device.id, own };
  const key = { n: epoch.n, headerHash: epoch.hash, secret: epoch.secret };
  const content = toText(waiting.secret);
  const bytes = await sealMessage(device.signing, key, boundOf(chain, vault.id, epoch, row), {
    sentAt: now(),
    seen: vault.rows.at(-1)?.hash ?? null,
    content,
  });
  return { bytes, headerHash: epoch.hash, own, isAgain: waiting.sealed !== null };
}

interface Appending {
  readonly chain: Chain;
  readonly vault: Vault;
  readonly device: DeviceKeys;
}

/** Stores the acknowledged row, unless the server may have other bytes under its id: those are read later. */
async function acknowledge(
  context: KeyContext,
  { chain, vault, device }: Appending,
  { key, clientMessageId }: OutgoingRecord,
  { bytes, headerHash, own, isAgain }: SealedRecord,
  row: number,
): Promise<Vault> {
  const gone = toOutgoingValue(vault.id, key, undefined);
  const epoch = vault.epochs.find(({ hash }) => equalBytes(hash, headerHash));
  if (isAgain || !epoch || vault.rows.some((one) => one.row === row)) {
    await context.store.write(gone);
    return vault;
  }
  const fields = { clientMessageId: fromUuid(clientMessageId), device: device.id, own };
  const hash = await hashOfRow(bytes, boundOf(chain, vault.id, epoch, fields));
  const rows = [{ ...fields, row, sealed: bytes, n: epoch.n, hash }];
  const after = withStored(vault, { rows });
  await context.store.write({ ...gone, ...toVaultValues(after, { rows }) });
  return after;
}

/**
 * Appends the records that wait.
 *
 * @returns the vault, and whether the server has a newer epoch, so that the caller fetches it and calls again
 * @throws ApiError if the server cannot be asked
 */
export async function appendWaiting(
  context: KeyContext,
  appending: Appending,
): Promise<{ vault: Vault; isStale: boolean }> {
  const { device, chain } = appending;
  let { vault } = appending;
  for (const waiting of await listOutgoing(context, vault.id)) {
    if (!isOpen(vault)) break;
    const current = { chain, vault, device };
    const newest = newestEpoch(vault);
    let { sealed } = waiting;
    if (!sealed || !newest || !equalBytes(sealed.headerHash, newest.hash)) {
      sealed = await sealRecord(context, current, waiting);
      await context.store.write(toOutgoingValue(vault.id, waiting.key, { ...waiting, sealed }));
    }
    try {
      const { row } = await context.call(routes.addVaultRow, {
        params: { id: toUuid(vault.id) },
        body: {
          clientMessageId: waiting.clientMessageId,
          own: sealed.own.map(toText),
          sealed: toText(sealed.bytes),
        },
      });
      vault = await acknowledge(context, current, waiting, sealed, row);
    } catch (error) {
      if (!(error instanceof ApiError) || error.passing) throw error;
      if (error.code === 'epoch_stale') return { vault, isStale: true };
      // The record waits for the next start: the reason may be a full vault, or a session without a device.
      break;
    }
  }
  return { vault, isStale: false };
}
