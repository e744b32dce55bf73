import type { Knex } from '@nolo/kit/db';
import type { UserId } from '@nolo/kit/ids';
import type {
  AccountKeys,
  DeviceId,
  KeyQuery,
  KeyReader,
  ListPosition,
  OwnDevice,
  StoredBoxKeys,
  StoredDeviceList,
} from '../domain/keyPorts.ts';
import { loadListStates } from './listStates.ts';
import { findDeviceOfSession, listKnownDevices, loadNewestList, suspendedAt, toStatement } from './deviceRows.ts';

interface SignedRow {
  body: Buffer;
  signature: Buffer;
}

type NewestRow = ListPosition & { userId: UserId };

async function loadNewest(trx: Knex, userIds: readonly UserId[]): Promise<Map<UserId, ListPosition>> {
  const { rows } = await trx.raw<{ rows: NewestRow[] }>(
    `select distinct on (user_id) user_id as "userId", chain, n from device_lists
     where user_id = any(:userIds) order by user_id, chain desc, n desc`,
    { userIds: userIds as unknown as string },
  );
  return new Map(rows.map(({ userId, chain, n }) => [userId, { chain, n }]));
}

interface PositionedQuery extends ListPosition {
  userId: UserId;
}

/** Returns up to `limit` lists of each account after a position. */
async function loadLists(
  trx: Knex,
  queries: readonly PositionedQuery[],
  limit: number,
): Promise<Map<UserId, StoredDeviceList[]>> {
  const { rows } = await trx.raw<{ rows: (NewestRow & SignedRow)[] }>(
    `select q."userId", l.chain, l.n, l.body, l.signature
     from jsonb_to_recordset(:queries::jsonb) as q("userId" uuid, chain smallint, n int)
     cross join lateral (
       select * from device_lists d where d.user_id = q."userId" and (d.chain, d.n) > (q.chain, q.n)
       order by d.chain, d.n limit :limit
     ) l order by l.chain, l.n`,
    { queries: JSON.stringify(queries), limit },
  );
  const lists = Map.groupBy(rows, ({ userId }) => userId);
  return new Map(
    [...lists].map(([userId, of]) => [
      userId,
      of.map((row): StoredDeviceList => ({ chain: row.chain, n: row.n, statement: toStatement(row) })),
    ]),
  );
}

type PublicDevice = SignedRow & { userId: UserId; deviceId: DeviceId; number: number; suspended: boolean };

/** Returns the devices of the newest lists with their box keys. */
async function loadPublicDevices(
  trx: Knex,
  userIds: readonly UserId[],
  now: Date,
): Promise<Map<UserId, PublicDevice[]>> {
  const { rows } = await trx.raw<{ rows: PublicDevice[] }>(
    `select d.user_id as "userId", d.id as "deviceId", b.number, b.body, b.signature,
       (${suspendedAt}) is not null as suspended
     from devices d join box_keys b on b.device_id = d.id left join sessions s on s.id = d.session_id
     where d.user_id = any(:userIds) and d.removed_at is null order by d.created_at, d.id`,
    { userIds: userIds as unknown as string, now },
  );
  return Map.groupBy(rows, ({ userId }) => userId);
}

const toBoxKeys = (row: PublicDevice): StoredBoxKeys => ({
  deviceId: row.deviceId,
  number: row.number,
  statement: toStatement(row),
});

/** Reads accounts in one snapshot, so that box keys and suspensions belong to the newest list. */
async function loadKeys(trx: Knex, queries: readonly KeyQuery[], limit: number, now: Date): Promise<AccountKeys[]> {
  const newest = await loadNewest(
    trx,
    queries.map(({ userId }) => userId),
  );
  const positioned = queries.flatMap(({ userId, after }): PositionedQuery[] => {
    const last = newest.get(userId);
    return last ? [{ userId, chain: after.chain ?? last.chain, n: after.n ?? -1 }] : [];
  });
  const lists = await loadLists(trx, positioned, limit + 1);
  const devices = await loadPublicDevices(trx, [...newest.keys()], now);
  return queries.map(({ userId }) => {
    const [found, own] = [lists.get(userId) ?? [], devices.get(userId) ?? []];
    return {
      userId,
      newest: newest.get(userId),
      lists: found.slice(0, limit),
      more: found.length > limit,
      boxKeys: own.map(toBoxKeys),
      suspended: own.filter(({ suspended }) => suspended).map(({ deviceId }) => deviceId),
    };
  });
}

async function findListBody(trx: Knex, list: object): Promise<Buffer | undefined> {
  const row: { body: Buffer } | undefined = await trx('device_lists').where(list).first('body');
  return row?.body;
}

/**
 * @param db the connections of requests
 * @param scrapeDb the connection reserved for metrics
 */
export function createKeyReader(db: Knex, scrapeDb: Knex): KeyReader {
  return {
    find: (queries, listsPerAccount, now) =>
      db.transaction((trx) => loadKeys(trx, queries, listsPerAccount, now), {
        readOnly: true,
        isolationLevel: 'repeatable read',
      }),

    async devices({ userId, sessionId }, now): Promise<OwnDevice[]> {
      const { rows } = await db.raw<{ rows: OwnDevice[] }>(
        `select d.id, d.kind, d.name, d.created_at as "createdAt", s.last_used_at as "lastUsedAt", s.network, s.country,
           s.city, coalesce(d.session_id = :sessionId, false) as current, ${suspendedAt} as "suspendedAt",
           d.session_expired or coalesce(s.expires_at <= :now, false) as "sessionExpired", d.session_id as "sessionId"
         from devices d left join sessions s on s.id = d.session_id
         where d.user_id = :userId and d.removed_at is null order by d.created_at, d.id`,
        { userId, sessionId, now },
      );
      return rows;
    },

    seeds: (userId) =>
      db('passkey_seeds as w')
        .join('user_passkeys as p', 'p.id', 'w.passkey_id')
        .where('w.user_id', userId)
        .orderBy('w.passkey_id')
        .select('w.passkey_id as passkeyId', 'p.credential_id as credentialId', 'w.wrapped'),

    state: (userId, { sessionId, named }, now) =>
      db.transaction(
        async (trx) => {
          const newest = await loadNewestList(trx, userId);
          if (!newest) return undefined;
          const { chain, checked } = newest;
          const list = await findListBody(trx, { user_id: userId, chain, n: checked.list.n });
          const devices = await listKnownDevices(trx, userId, now);
          return {
            list: list ?? Buffer.alloc(0),
            hash: Buffer.from(checked.hash),
            identity: Buffer.from(checked.identity),
            suspended: devices.filter(({ suspended }) => suspended).map(({ id }) => id),
            keyless: devices.filter(({ keyless }) => keyless).map(({ id }) => id),
            device: sessionId && (await findDeviceOfSession(trx, { userId, sessionId })),
            named: named && (await findListBody(trx, { user_id: userId, chain, hash: named })),
          };
        },
        { readOnly: true, isolationLevel: 'repeatable read' },
      ),

    states: (queries, sessionId, now) =>
      db.transaction((trx) => loadListStates(trx, queries, { sessionId, now }), {
        readOnly: true,
        isolationLevel: 'repeatable read',
      }),

    async countByState(now) {
      const { rows } = await scrapeDb.raw<{ rows: { state: 'active' | 'suspended' | 'removed'; count: number }[] }>(
        `select case when d.removed_at is not null then 'removed' when (${suspendedAt}) is not null then 'suspended'
           else 'active' end as state, count(*)::int as count
         from devices d left join sessions s on s.id = d.session_id group by 1`,
        { now },
      );
      return rows;
    },
  };
}
