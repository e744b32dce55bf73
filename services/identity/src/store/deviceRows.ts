import { readList, type Bytes, type CheckedList, type Statement } from '@nolo/e2ee';
import type { Knex } from '@nolo/kit/db';
import type { SessionId, UserId } from '@nolo/kit/ids';
import type { DeviceId, KnownDevice, ListPosition } from '../domain/keyPorts.ts';
import type { RequestingSession } from '../domain/securityPorts.ts';

/* Devices and lists of an account, for use in transactions. */

/** Copies bytes of the database into a buffer of their own, which WebCrypto requires. */
export const toBytes = (bytes: Uint8Array): Bytes => Uint8Array.from(bytes);

export const toStatement = ({ body, signature }: { body: Buffer; signature: Buffer }): Statement => ({
  body: toBytes(body),
  signature: toBytes(signature),
});

/** SQL for a device `d` with its session `s`: since when it is suspended. Expired sessions may not be swept yet. */
export const suspendedAt = 'coalesce(d.suspended_at, case when s.expires_at <= :now then s.expires_at end)';

/** Returns the newest list of an account, which was checked when it was added. A deleted account has none. */
export async function loadNewestList(
  trx: Knex,
  userId: UserId,
): Promise<{ chain: number; checked: CheckedList } | undefined> {
  const newest: ListPosition | undefined = await trx('device_lists')
    .where({ user_id: userId })
    .whereExists(trx('users').where({ id: userId }).select('id'))
    .orderBy([
      { column: 'chain', order: 'desc' },
      { column: 'n', order: 'desc' },
    ])
    .first('chain', 'n');
  if (!newest) return undefined;
  const { chain } = newest;
  const rows: { n: number; body: Buffer; hash: Buffer }[] = await trx('device_lists')
    .where({ user_id: userId, chain })
    .whereIn('n', [0, newest.n])
    .orderBy('n')
    .select('n', 'body', 'hash');
  const [first, last] = [rows[0], rows.at(-1)];
  if (!first || !last) return undefined;
  const list = readList({ body: toBytes(last.body) });
  return { chain, checked: { list, hash: toBytes(last.hash), identity: toBytes(first.hash) } };
}

/** Returns the devices of the newest chain that are not removed. */
export async function listKnownDevices(trx: Knex, userId: UserId, now: Date): Promise<KnownDevice[]> {
  const { rows } = await trx.raw<{ rows: KnownDevice[] }>(
    `select d.id, (${suspendedAt}) is not null as suspended,
       not exists (select 1 from box_keys b where b.device_id = d.id) as keyless
     from devices d left join sessions s on s.id = d.session_id
     where d.user_id = :userId and d.removed_at is null`,
    { userId, now },
  );
  return rows;
}

/** Returns the device of a session. */
export async function findDeviceOfSession(
  trx: Knex,
  { userId, sessionId }: RequestingSession,
): Promise<DeviceId | undefined> {
  const row: { id: DeviceId } | undefined = await trx('devices')
    .where({ user_id: userId, session_id: sessionId })
    .first('id');
  return row?.id;
}

/** Notifies the account's clients and other services of the newest list and of suspensions. */
export async function sendDevicesChanged(trx: Knex, userId: UserId): Promise<void> {
  await trx.raw('select send_devices_changed(?)', [userId]);
}

/** Suspends devices whose session expired, and records why. Runs before expired sessions are deleted. */
export async function suspendExpiredDevices(db: Knex, now: Date): Promise<void> {
  await db.raw(
    `update devices d set session_id = null, suspended_at = s.expires_at, session_expired = true
     from sessions s where s.id = d.session_id and s.expires_at <= :now`,
    { now },
  );
}

/** Returns which of these sessions have no device yet. */
export async function filterWithoutDevice(trx: Knex, sessionIds: readonly SessionId[]): Promise<Set<SessionId>> {
  const taken: SessionId[] = await trx('devices').whereIn('session_id', sessionIds).pluck('session_id');
  return new Set(sessionIds.filter((id) => !taken.includes(id)));
}
