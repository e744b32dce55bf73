import type { Knex } from '@nolo/kit/db';
import type { SessionId, UserId } from '@nolo/kit/ids';
import { limits } from '@nolo/rules';
import type { AccountListState, DeviceId, ListStateQuery, NamedList } from '../domain/keyPorts.ts';
import { suspendedAt } from './deviceRows.ts';

interface NewestRow {
  userId: UserId;
  hash: Buffer;
  identity: Buffer;
  list: Buffer;
  firstAt: Date;
}

interface NamedRow {
  userId: UserId;
  hash: Buffer;
  identity: Buffer;
  list: Buffer;
  supersededAt: Date | null;
}

interface DeviceRow {
  userId: UserId;
  id: DeviceId;
  suspended: boolean;
  keyless: boolean;
  outdated: boolean;
  current: boolean;
}

async function loadNewest(trx: Knex, userIds: readonly UserId[]): Promise<NewestRow[]> {
  const { rows } = await trx.raw<{ rows: NewestRow[] }>(
    `select newest.*, own.hash as identity, first.created_at as "firstAt" from (
       select distinct on (user_id) user_id as "userId", chain, hash, body as list from device_lists
       where user_id = any(:userIds::uuid[]) and exists (select from users u where u.id = user_id)
       order by user_id, chain desc, n desc
     ) newest
     join device_lists own on own.user_id = newest."userId" and own.chain = newest.chain and own.n = 0
     join device_lists first on first.user_id = newest."userId" and first.chain = 0 and first.n = 0`,
    { userIds: userIds as unknown as string },
  );
  return rows;
}

/** Returns lists by their hashes, with the time at which the next list, or another identity, followed. */
async function loadNamed(trx: Knex, queries: readonly ListStateQuery[]): Promise<Map<UserId, NamedRow[]>> {
  const names = queries.flatMap(({ userId, named, known }) =>
    [...named, ...known].map((hash) => ({ userId, hash: hash.toString('hex') })),
  );
  if (names.length === 0) return new Map();
  const { rows } = await trx.raw<{ rows: NamedRow[] }>(
    `select l.user_id as "userId", l.hash, own.hash as identity, l.body as list, (
       select next.created_at from device_lists next
       where next.user_id = l.user_id and (next.chain, next.n) > (l.chain, l.n) order by next.chain, next.n limit 1
     ) as "supersededAt"
     from jsonb_to_recordset(:names::jsonb) as t("userId" uuid, hash text)
     join device_lists l on l.user_id = t."userId" and l.hash = decode(t.hash, 'hex')
     join device_lists own on own.user_id = l.user_id and own.chain = l.chain and own.n = 0`,
    { names: JSON.stringify(names) },
  );
  return Map.groupBy(rows, ({ userId }) => userId);
}

async function loadDevices(
  trx: Knex,
  userIds: readonly UserId[],
  { sessionId, now }: { sessionId: SessionId | undefined; now: Date },
): Promise<Map<UserId, DeviceRow[]>> {
  const { rows } = await trx.raw<{ rows: DeviceRow[] }>(
    `select d.user_id as "userId", d.id, (${suspendedAt}) is not null as suspended, b.device_id is null as keyless,
       coalesce(b.at < :now::timestamptz - make_interval(days => ${limits.boxKeyDays}), false) as outdated,
       coalesce(d.session_id = :sessionId::uuid, false) as current
     from devices d left join box_keys b on b.device_id = d.id left join sessions s on s.id = d.session_id
     where d.user_id = any(:userIds::uuid[]) and d.removed_at is null order by d.created_at, d.id`,
    { userIds: userIds as unknown as string, sessionId: sessionId ?? null, now } as never,
  );
  return Map.groupBy(rows, ({ userId }) => userId);
}

const idsOf = (devices: readonly DeviceRow[], has: 'suspended' | 'keyless' | 'outdated'): DeviceId[] =>
  devices.filter((device) => device[has]).map(({ id }) => id);

/** Returns the states of the accounts that exist and have lists, in the order of the queries. */
export async function loadListStates(
  trx: Knex,
  queries: readonly ListStateQuery[],
  options: { sessionId: SessionId | undefined; now: Date },
): Promise<AccountListState[]> {
  const userIds = queries.map(({ userId }) => userId);
  const newest = new Map((await loadNewest(trx, userIds)).map((row) => [row.userId, row]));
  const named = await loadNamed(trx, queries);
  const devices = await loadDevices(trx, userIds, options);
  return queries.flatMap(({ userId, known }): AccountListState[] => {
    const found = newest.get(userId);
    if (!found) return [];
    const without = ({ hash, list }: { hash: Buffer; list: Buffer }) =>
      known.some((one) => one.equals(hash)) ? undefined : list;
    const own = devices.get(userId) ?? [];
    return [
      {
        userId,
        hash: found.hash,
        identity: found.identity,
        list: without(found),
        suspended: idsOf(own, 'suspended'),
        keyless: idsOf(own, 'keyless'),
        outdated: idsOf(own, 'outdated'),
        deviceId: own.find(({ current }) => current)?.id,
        firstAt: found.firstAt,
        named: (named.get(userId) ?? []).map(({ hash, identity, list, supersededAt }): NamedList => ({
          hash,
          identity,
          list: without({ hash, list }),
          supersededAt: supersededAt ?? undefined,
        })),
      },
    ];
  });
}
