import type { NewEpoch, VaultRow } from '@nolo/api';
import {
  checkNack,
  equalBytes,
  fromUuid,
  hashOfHeader,
  readHeader,
  readSealed,
  toUuid,
  vaultIdOf,
  type Bytes,
  type CheckedList,
} from '@nolo/e2ee';
import { fromSigned, fromText, toText } from '../../src/keys/wire.ts';
import { refuse, type Signed, type ServedVault, type Handler, type ServedState } from './servedState.ts';

/** Handlers of the vault's epochs and rows. */

export const vaultHandlers = (server: ServedState): Record<string, Handler> => ({
  async listEpochs(session, { params, query = {} }) {
    const vault = ownVault(server, String(params?.['id']));
    const device = server.deviceOf(session)?.id ?? '';
    const items = vault.epochs
      .filter(({ n }) => n >= Number(query['from'] ?? 0))
      .map((one) => ({
        n: one.n,
        hash: one.hash,
        ...one.header,
        roster: one.roster,
        box: one.boxes.get(device) ?? null,
        answer: one.answers.get(device) ?? null,
        recoveryBox: one.boxes.get('00000000-0000-0000-0000-000000000000') ?? null,
        previousSecret: one.previousSecret,
        seq: null,
        changeSeq: null,
        at: null,
      }));
    return { items: items.slice(0, 2), more: items.length > 2 };
  },

  async commitEpoch(session, { params, body }) {
    const epoch = body as NewEpoch & { lost?: boolean };
    if (!epoch.lost) server.requireDevice(session);
    const account = server.account(session.userId);
    const { identity } = await server.checked(account);
    if (toUuid(await vaultIdOf(fromUuid(session.userId), identity)) !== params?.['id'])
      refuse(404, 'conversation_not_found');
    return commit(server, identity, session.userId, epoch, { isLost: epoch.lost === true });
  },

  async sendNack(session, { params, body }) {
    const device = server.requireDevice(session);
    const signed = body as Signed;
    const { n } = await checkNack(fromSigned(signed), (await server.checked(server.account(session.userId))).list);
    const vault = ownVault(server, String(params?.['id']));
    vault.nacks = vault.nacks.filter((one) => one.device !== device.id);
    vault.nacks.push({ ...signed, device: device.id, n });
    server.emit(session.userId, { type: 'epochs_changed', data: {} });
  },

  async listNacks(session, { params }) {
    server.requireDevice(session);
    return ownVault(server, String(params?.['id'])).nacks.map(({ body, signature }) => ({ body, signature }));
  },

  async answerNack(session, { params, body }) {
    server.requireDevice(session);
    const { deviceId, box } = body as { deviceId: string; box: string };
    const vault = ownVault(server, String(params?.['id']));
    if (!vault.nacks.some((one) => one.device === deviceId)) refuse(404, 'nack_not_found');
    vault.epochs[Number(params?.['n'])]?.answers.set(deviceId, box);
    vault.nacks = vault.nacks.filter((one) => one.device !== deviceId);
    server.emit(session.userId, { type: 'epochs_changed', data: {} });
  },

  async listVaultRows(_, { params, query = {} }) {
    const rows = ownVault(server, String(params?.['id'])).rows.filter(({ row }) => row > Number(query['after'] ?? -1));
    const items = rows.slice(0, 4).map(({ device: __, ...row }) => row);
    return { items, more: rows.length > 4 };
  },

  async addVaultRow(session, { params, body }) {
    const device = server.requireDevice(session);
    const vault = ownVault(server, String(params?.['id']));
    const row = body as Omit<VaultRow, 'row'>;
    const same = vault.rows.find((one) => one.clientMessageId === row.clientMessageId && one.device === device.id);
    if (same) return { row: same.row };
    if (readSealed(fromText(row.sealed)).epoch !== vault.epochs.length - 1) refuse(409, 'epoch_stale');
    const number = server.nextRow;
    server.nextRow += 2;
    vault.rows.push({ ...row, row: number, device: device.id });
    server.emit(session.userId, { type: 'vault_changed', data: { row: number } });
    return { row: number };
  },

  async deleteVaultRows(session, { params, query = {} }) {
    server.requireDevice(session);
    const vault = ownVault(server, String(params?.['id']));
    vault.rows = vault.rows.filter(({ row }) => row < Number(query['from']) || row > Number(query['to']));
  },
});

function vaultOf(server: ServedState, id: string): ServedVault {
  const known = server.vaults.get(id) ?? { epochs: [], rows: [], nacks: [] };
  server.vaults.set(id, known);
  return known;
}

function ownVault(server: ServedState, id: string): ServedVault {
  return server.vaults.get(id) ?? refuse(404, 'conversation_not_found');
}

/** Takes an epoch that follows the newest one. */
export async function commit(
  server: ServedState,
  identity: Bytes,
  userId: string,
  epoch: NewEpoch,
  { list, isLost = false }: { list?: CheckedList; isLost?: boolean } = {},
) {
  const id = toUuid(await vaultIdOf(fromUuid(userId), identity));
  const vault = vaultOf(server, id);
  const header = readHeader(fromSigned(epoch.header));
  const hash = toText(await hashOfHeader(fromSigned(epoch.header)));
  const same = vault.epochs[header.n];
  if (same?.hash === hash) return { n: header.n, hash };
  const previous = header.previous && toText(header.previous);
  if (header.n !== vault.epochs.length || previous !== (vault.epochs.at(-1)?.hash ?? null))
    return refuse(409, 'epoch_stale');
  const newest = list ?? (await server.checked(server.account(userId)));
  const named = header.changes.find((one) => one.type === 3 || one.type === 0);
  if (!isLost && named && 'list' in named && named.list && !equalBytes(named.list.hash, newest.hash))
    refuse(409, 'epoch_stale');
  if (!isLost && newest.list.recovery && !epoch.boxes.some(({ deviceId }) => /^[0-]+$/.test(deviceId)))
    refuse(400, 'epoch_refused');
  vault.epochs.push({
    n: header.n,
    hash,
    header: epoch.header,
    roster: epoch.roster,
    boxes: new Map(epoch.boxes.map(({ deviceId, box }) => [deviceId, box])),
    answers: new Map(),
    previousSecret: epoch.previousSecret ?? null,
  });
  server.emit(userId, { type: 'epochs_changed', data: { id } });
  return { n: header.n, hash };
}
