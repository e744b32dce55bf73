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
import { findNewestList, suspendedAt, toStatement } from './deviceRows.ts';

interface SignedRow {
  body: Buffer;
  signature: Buffer;
}

async function listAfter(
  db: Knex,
  userId: UserId,
  { chain, n }: ListPosition,
  limit: number,
): Promise<StoredDeviceList[]> {
  const rows: (ListPosition & SignedRow)[] = await db('device_lists')
    .where({ user_id: userId })
    .whereRaw('(chain, n) > (?::smallint, ?::int)', [chain, n])
    .orderBy(['chain', 'n'])
    .limit(limit)
    .select('chain', 'n', 'body', 'signature');
  return rows.map((row) => ({ chain: row.chain, n: row.n, statement: toStatement(row) }));
}

type PublicDevice = SignedRow & { deviceId: DeviceId; number: number; suspended: boolean };

/** Returns the box keys of the devices of the newest list, and which devices are suspended. */
async function loadPublicDevices(
  db: Knex,
  userId: UserId,
  now: Date,
): Promise<Pick<AccountKeys, 'boxKeys' | 'suspended'>> {
  const { rows } = await db.raw<{ rows: PublicDevice[] }>(
    `select d.id as "deviceId", b.number, b.body, b.signature, (${suspendedAt}) is not null as suspended
     from devices d join box_keys b on b.device_id = d.id left join sessions s on s.id = d.session_id
     where d.user_id = :userId and d.removed_at is null order by d.created_at, d.id`,
    { userId, now },
  );
  return {
    boxKeys: rows.map((row): StoredBoxKeys => ({
      deviceId: row.deviceId,
      number: row.number,
      statement: toStatement(row),
    })),
    suspended: rows.filter(({ suspended }) => suspended).map(({ deviceId }) => deviceId),
  };
}

/** Reads all of an account in one snapshot, so that box keys and suspensions belong to the newest list. */
async function loadKeys(trx: Knex, { userId, after }: KeyQuery, limit: number, now: Date): Promise<AccountKeys> {
  const newest = await findNewestList(trx, userId);
  if (!newest) return { userId, newest, lists: [], more: false, boxKeys: [], suspended: [] };
  const from = { chain: after.chain ?? newest.chain, n: after.n ?? -1 };
  const lists = await listAfter(trx, userId, from, limit + 1);
  const more = lists.length > limit;
  return { userId, newest, lists: lists.slice(0, limit), more, ...(await loadPublicDevices(trx, userId, now)) };
}

/**
 * @param db the connections of requests
 * @param scrapeDb the connection reserved for metrics
 */
export function createKeyReader(db: Knex, scrapeDb: Knex): KeyReader {
  return {
    find: (queries, listsPerAccount, now) =>
      db.transaction(
        async (trx) => {
          const found: AccountKeys[] = [];
          for (const query of queries) found.push(await loadKeys(trx, query, listsPerAccount, now));
          return found;
        },
        { readOnly: true, isolationLevel: 'repeatable read' },
      ),

    async devices({ userId, sessionId }, now): Promise<OwnDevice[]> {
      const { rows } = await db.raw<{ rows: OwnDevice[] }>(
        `select d.id, d.kind, d.name, d.created_at as "createdAt", s.last_used_at as "lastUsedAt", s.network, s.country,
           s.city, coalesce(d.session_id = :sessionId, false) as current, ${suspendedAt} as "suspendedAt",
           d.session_expired or coalesce(s.expires_at <= :now, false) as "sessionExpired"
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
