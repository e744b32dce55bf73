import { inTransaction, type Knex } from '@nolo/kit/db';
import type { UserId } from '@nolo/kit/ids';
import type { Account, AccountStore } from '../domain/ports.ts';
import type { Preference } from '../domain/preferencePorts.ts';
import { exportAccountRows } from './accountExport.ts';
import { closeAccount } from './closures.ts';
import { foldUserName } from './foldedNames.ts';
import { privacyColumns, toColumnName } from './privacyColumns.ts';
import { isSessionProven } from './proofs.ts';
import { lockAccount } from './signInMethods.ts';

const accountColumns = `
  u.id, u.email, u.first_name as "firstName", u.last_name as "lastName",
  u.profile_image_path as "profileImagePath", u.status_message as "statusMessage",
  u.presence_status as "presenceStatus", ${privacyColumns},
  (select s.seen_at from last_seen s where s.user_id = u.id) as "lastSeenAt",
  u.language, u.device_language as "deviceLanguage", u.time_zone as "timeZone",
  u.created_at as "createdAt", u.updated_at as "updatedAt",
  (select n.username from usernames n where n.user_id = u.id and n.released_at is null) as username,
  (select p.phone_number from user_phones p where p.user_id = u.id) as "phoneNumber",
  (select c.deletes_at from closures c where c.user_id = u.id) as "deletesAt",
  exists (select from operators o where o.user_id = u.id) as operator,
  array(select distinct v.issuer from user_providers v where v.user_id = u.id order by v.issuer) as "providerIssuers",
  coalesce((select json_agg(json_build_object('name', f.name, 'json', f.value::text, 'changedAt', f.changed_at) order by f.name)
    from preferences f where f.user_id = u.id), '[]') as preferences`;

/** Account row, in which JSON holds dates as strings. */
type AccountRow = Omit<Account, 'preferences'> & {
  preferences: (Omit<Preference, 'changedAt'> & { changedAt: string })[];
};

/** @param wake called after a commit that wrote to the outbox or the log */
export function createAccountStore(db: Knex, wake: () => void): AccountStore {
  const find = async (userId: UserId): Promise<Account | undefined> => {
    const { rows } = await db.raw<{ rows: AccountRow[] }>(`select ${accountColumns} from users u where u.id = ?`, [
      userId,
    ]);
    const [row] = rows;
    if (!row) return undefined;
    const preferences = row.preferences.map((one) => ({ ...one, changedAt: new Date(one.changedAt) }));
    return { ...row, preferences };
  };

  return {
    find,

    async change(userId, changes, now) {
      const columns: Record<string, unknown> = { updated_at: now };
      for (const [field, value] of Object.entries(changes)) {
        if (value !== undefined) columns[toColumnName(field)] = value;
      }
      await inTransaction(db, async (trx) => {
        await trx('users').where({ id: userId }).update(columns);
        if (changes.firstName !== undefined || changes.lastName !== undefined) await foldUserName(trx, userId);
      });
      // A trigger writes an event when this setting changes.
      if (changes.messagesFrom !== undefined) wake();
      return find(userId);
    },

    async export(userId) {
      const account = await find(userId);
      return account && exportAccountRows(db, account);
    },

    async close(requester, now) {
      const closed = await inTransaction(db, async (trx) => {
        const account = await lockAccount(trx, requester.userId);
        if (!account) return { outcome: 'missing' as const };
        if (!(await isSessionProven(trx, requester, now))) return { outcome: 'unproven' as const };
        return {
          outcome: 'closed' as const,
          ...(await closeAccount(trx, { ...requester, email: account.email, now })),
        };
      });
      if (closed.outcome === 'closed') wake();
      return closed;
    },
  };
}
