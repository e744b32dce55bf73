import { randomBytes, randomUUID } from 'node:crypto';
import { fromUuid } from '@nolo/e2ee';
import type { ExportedVaultItem } from '@nolo/proto/epochs';
import type { EpochBox } from '@nolo/proto/keys';
import { limits } from '@nolo/rules';
import { eventually } from '@nolo/testing';
import type { TestDevice } from '@nolo/testing/keys';
import { sealVaultRow, type TestEpoch } from '@nolo/testing/vaults';
import { nextEventId, startChat, type TestChat } from './startChat.ts';
import {
  addDevice,
  addList,
  commit,
  createVaultOwner,
  refusalOf,
  signNextEpoch,
  type VaultOwner,
} from './vaultFixtures.ts';

let chat: TestChat;
beforeAll(async () => {
  chat = await startChat();
  // Epochs carry the time of this machine.
  chat.clock.advance(Date.now() - chat.clock.now().getTime());
});
afterAll(() => chat.stop());

const dayMs = 86_400_000;

interface RowOptions {
  clientMessageId?: string;
  epoch?: TestEpoch;
  device?: TestDevice;
  sessionId?: string;
  own?: Buffer[];
  sealed?: Buffer;
  content?: string;
}

const add = async (owner: VaultOwner, options: RowOptions = {}): Promise<number> => {
  const { clientMessageId = randomUUID(), epoch = owner.epoch, device = owner.laptop, own = [], content } = options;
  const named = own.map((hash) => Uint8Array.from(hash));
  const record = { own: named, ...(content !== undefined && { content }) };
  const sealed = options.sealed ?? (await sealVaultRow(epoch, device, fromUuid(clientMessageId), record));
  const { row } = await chat.epochs.addVaultRow({
    actorId: owner.userId,
    sessionId: options.sessionId ?? owner.sessionId,
    vaultId: owner.vaultId,
    clientMessageId,
    own,
    sealed,
  });
  return row!;
};
const list = ({ userId, vaultId }: Pick<VaultOwner, 'userId' | 'vaultId'>, after = 0) =>
  chat.epochs.listVaultRows({ actorId: userId, vaultId, after });
const rowsOf = async (owner: VaultOwner) => (await list(owner)).rows.map(({ row }) => row);
const remove = (
  { userId, vaultId, sessionId }: Pick<VaultOwner, 'userId' | 'vaultId' | 'sessionId'>,
  from: number,
  to: number,
  snapshot: number,
) => chat.epochs.deleteVaultRows({ actorId: userId, sessionId, vaultId, from, to, snapshot });
const refused = (reason: string) => ({ code: 'row_refused', details: { reason } });
/** Commits the next epoch. */
const advance = async (owner: VaultOwner) => {
  owner.epoch = await signNextEpoch(owner);
  await commit(chat, owner, owner.epoch);
};

describe('a row of a vault', () => {
  it('is stored once for each device and client id, and announced to the account', async () => {
    const owner = await createVaultOwner(chat);
    const { device, sessionId } = await addDevice(chat, owner);
    const clientMessageId = randomUUID();
    const own = [randomBytes(32), randomBytes(32)];
    const sealed = await sealVaultRow(owner.epoch, owner.laptop, fromUuid(clientMessageId));
    expect(await add(owner, { clientMessageId, own, sealed })).toBe(1);
    expect(await add(owner, { clientMessageId, own, sealed })).toBe(1);
    // The first answer, also if the record was sealed again.
    expect(await add(owner, { clientMessageId })).toBe(1);
    expect(await add(owner, { clientMessageId, device, sessionId })).toBe(2);
    const { rows, more } = await list(owner);
    expect(more).toBe(false);
    expect(rows[0]).toMatchObject({ row: 1, clientMessageId, own, sealed });
    expect((await list(owner, 1)).rows.map(({ row }) => row)).toEqual([2]);
    await eventually(() => chat.framesTo(owner.userId).filter(({ type }) => type === 'vault_changed').length === 2);
    expect(chat.framesTo(owner.userId).find(({ type }) => type === 'vault_changed')).toEqual({
      type: 'vault_changed',
      data: { conversationId: owner.vaultId, row: 1 },
    });
  });

  it('gets one number each, also if many arrive at once', async () => {
    const owner = await createVaultOwner(chat);
    const other = await chat.startReplica();
    const ids = Array.from({ length: 6 }, () => randomUUID());
    const all = await Promise.all(
      [...ids, ...ids].map(async (clientMessageId, at) => {
        const { epochs } = at % 2 === 0 ? chat : other;
        const sealed = await sealVaultRow(owner.epoch, owner.laptop, fromUuid(clientMessageId));
        const request = { actorId: owner.userId, sessionId: owner.sessionId, vaultId: owner.vaultId };
        return (await epochs.addVaultRow({ ...request, clientMessageId, own: [], sealed })).row;
      }),
    );
    expect(all.slice(0, 6)).toEqual(all.slice(6));
    expect(await rowsOf(owner)).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('belongs to the newest epoch, or for ten seconds to the one before if nobody lost the secret', async () => {
    const owner = await createVaultOwner(chat);
    const first = owner.epoch;
    await advance(owner);
    await add(owner, { epoch: first });
    chat.clock.advance(9_000);
    await add(owner, { epoch: first });
    chat.clock.advance(1_000);
    expect(await refusalOf(add(owner, { epoch: first }))).toEqual({
      code: 'epoch_stale',
      details: { n: 1, reason: 'newer' },
    });
    await add(owner);
    await advance(owner);
    expect(await refusalOf(add(owner, { epoch: first }))).toEqual({
      code: 'epoch_stale',
      details: { n: 2, reason: 'newer' },
    });
    const { device } = await addDevice(chat, owner);
    const before = owner.epoch;
    await addList(chat, owner, { remove: [device] });
    await advance(owner);
    expect(await refusalOf(add(owner, { epoch: before }))).toEqual({
      code: 'epoch_stale',
      details: { n: 4, reason: 'newer' },
    });
    await add(owner);
  });

  it('is late at once if a device was left out', async () => {
    const owner = await createVaultOwner(chat);
    const { device } = await addDevice(chat, owner);
    const before = owner.epoch;
    chat.keys.suspend(owner.userId, device);
    owner.epoch = await signNextEpoch(owner, { leftOut: [device] });
    await commit(chat, owner, owner.epoch);
    expect(await refusalOf(add(owner, { epoch: before }))).toEqual({
      code: 'epoch_stale',
      details: { n: 2, reason: 'newer' },
    });
  });

  it('is refused if it is not sealed by the device of the session, or if that did not get the secret', async () => {
    const owner = await createVaultOwner(chat);
    const first = owner.epoch;
    const { device, sessionId } = await addDevice(chat, owner);
    expect(await refusalOf(add(owner, { device }))).toEqual(refused('subject'));
    expect(await refusalOf(add(owner, { sealed: randomBytes(100) }))).toEqual(refused('malformed'));
    expect(await refusalOf(add(owner, { sealed: Buffer.alloc(limits.vaultRowBytes + 1) }))).toEqual(
      refused('malformed'),
    );
    const many = Array.from({ length: limits.vaultOwnRows + 1 }, () => randomBytes(32));
    const sealed = await sealVaultRow(owner.epoch, owner.laptop, fromUuid(randomUUID()));
    expect(await refusalOf(add(owner, { own: many, sealed }))).toEqual(refused('malformed'));
    expect(await refusalOf(add(owner, { own: [randomBytes(31)], sealed }))).toEqual(refused('malformed'));
    // The device was added after this epoch.
    expect(await refusalOf(add(owner, { epoch: first, device, sessionId }))).toEqual(refused('rights'));
    expect(await refusalOf(add(owner, { sessionId: randomUUID() }))).toMatchObject({ code: 'device_required' });
    const other = await createVaultOwner(chat);
    const foreign = { ...other, vaultId: owner.vaultId };
    const missing = { code: 'conversation_not_found' };
    expect(await refusalOf(add(foreign))).toMatchObject(missing);
    expect(await refusalOf(list(foreign))).toMatchObject(missing);
    expect(await refusalOf(remove(foreign, 1, 1, 2))).toMatchObject(missing);
    expect(await rowsOf(owner)).toEqual([]);
  });

  it('is refused if the vault is full', async () => {
    const owner = await createVaultOwner(chat);
    await add(owner);
    await chat.db('vaults').where({ conversation_id: owner.vaultId }).update({ row_count: limits.rowsPerVault });
    expect(await refusalOf(add(owner))).toEqual({ code: 'vault_full', details: { max: limits.rowsPerVault } });
    const snapshot = await chat.db('vault_rows').where({ conversation_id: owner.vaultId }).pluck('row');
    expect(snapshot).toEqual([1]);
  });

  it('comes in pages, which are shorter if rows are large', async () => {
    const owner = await createVaultOwner(chat);
    await add(owner);
    await chat.db.raw(
      `insert into vault_rows
       select conversation_id, g, device_id, gen_random_uuid(), epoch, own, sealed, at
       from vault_rows, generate_series(2, ?) g where conversation_id = ?`,
      [limits.vaultRowsPerPage + 1, owner.vaultId],
    );
    const page = await list(owner);
    expect([page.rows.length, page.more]).toEqual([limits.vaultRowsPerPage, true]);
    expect(await list(owner, limits.vaultRowsPerPage)).toMatchObject({ rows: [expect.anything()], more: false });
    await chat
      .db('vault_rows')
      .where({ conversation_id: owner.vaultId })
      .update({ sealed: Buffer.alloc(90_000) });
    const seen: number[] = [];
    for (let next = await list(owner); ; next = await list(owner, seen.at(-1))) {
      seen.push(...next.rows.map(({ row }) => row!));
      if (!next.more) break;
    }
    expect(seen).toEqual(Array.from({ length: limits.vaultRowsPerPage + 1 }, (_, at) => at + 1));
  });
});

describe('rows that a snapshot covers', () => {
  it('are deleted by the device that wrote it, 30 days later', async () => {
    const owner = await createVaultOwner(chat);
    const { device, sessionId } = await addDevice(chat, owner);
    for (let count = 0; count < 3; count += 1) await add(owner);
    const snapshot = await add(owner);
    expect(await refusalOf(remove(owner, 1, 3, snapshot))).toEqual(refused('snapshot'));
    chat.clock.advance(30 * dayMs - 1);
    expect(await refusalOf(remove(owner, 1, 3, snapshot))).toEqual(refused('snapshot'));
    chat.clock.advance(1);
    const late = await add(owner);
    expect(await refusalOf(remove(owner, 1, snapshot, snapshot))).toEqual(refused('snapshot'));
    expect(await refusalOf(remove(owner, 3, 1, snapshot))).toEqual(refused('snapshot'));
    expect(await refusalOf(remove(owner, 1, 3, late))).toEqual(refused('snapshot'));
    expect(await refusalOf(remove(owner, 1, 3, late + 1))).toEqual(refused('snapshot'));
    const atPhone = { ...owner, laptop: device, sessionId };
    expect(await refusalOf(remove(atPhone, 1, 3, snapshot))).toEqual(refused('snapshot'));
    expect(await rowsOf(owner)).toEqual([1, 2, 3, 4, 5]);
    await remove(owner, 1, 3, snapshot);
    await remove(owner, 1, 3, snapshot);
    expect(await rowsOf(owner)).toEqual([4, 5]);
    expect(await chat.db('vaults').where({ conversation_id: owner.vaultId }).first()).toMatchObject({
      last_row: 5,
      row_count: 2,
    });
    expect(await add(owner)).toBe(6);
  });
});

test('an account exports all its vaults as stored, and nobody else’s', async () => {
  const [owner, other] = [await createVaultOwner(chat), await createVaultOwner(chat)];
  await addDevice(chat, owner);
  await add(owner);
  await add(owner);
  await add(other);
  const items: ExportedVaultItem[] = [];
  for await (const item of chat.epochs.exportVaults({ actorId: owner.userId })) items.push(item);
  expect(items.map(({ vaultId, item }) => [vaultId, item?.$case])).toEqual(
    ['epoch', 'epoch', 'row', 'row'].map((kind) => [owner.vaultId, kind]),
  );
  const sorted = (boxes: readonly EpochBox[]) => boxes.toSorted((a, b) => (a.deviceId! < b.deviceId! ? -1 : 1));
  const { message } = owner.epoch;
  expect(items[1]?.item?.value).toEqual({ ...message, boxes: sorted(message.boxes) });
  expect(items[2]?.item?.value).toEqual((await list(owner)).rows[0]);
});

test('a row that is cut off at any step leaves nothing, and is stored once when it is sent again', async () => {
  const owner = await createVaultOwner(chat);
  const clientMessageId = randomUUID();
  for (const table of ['vault_rows', 'outbox']) {
    await chat.db.raw(`
      create function fail_once() returns trigger language plpgsql as $$ begin raise exception 'cut off'; end $$;
      create trigger fail_once before insert on ${table} for each row execute function fail_once();
    `);
    await expect(add(owner, { clientMessageId })).rejects.toMatchObject({ kind: 'internal' });
    await chat.db.raw(`drop trigger fail_once on ${table}; drop function fail_once();`);
    expect(await rowsOf(owner)).toEqual([]);
  }
  expect(await add(owner, { clientMessageId })).toBe(1);
});

test('a deleted account leaves no rows, and retention deletes none', async () => {
  const owner = await createVaultOwner(chat);
  await add(owner);
  chat.clock.advance(400 * dayMs);
  expect(await rowsOf(owner)).toEqual([1]);
  await chat.publishEvent('event.identity.user_deleted', { userId: owner.userId }, nextEventId());
  await eventually(async () => (await chat.db('vault_rows').where({ conversation_id: owner.vaultId })).length === 0);
});
