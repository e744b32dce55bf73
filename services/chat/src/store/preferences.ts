import type { Knex } from '@nolo/kit/db';
import type { PreferenceStore } from '../domain/ports.ts';
import { statement } from './statement.ts';

const find = statement<{ share_receipts: boolean }>(
  'find_preferences',
  'select share_receipts from preferences where user_id = $1',
);

const save = statement(
  'save_preferences',
  `insert into preferences (user_id, share_receipts) values ($1, $2)
  on conflict (user_id) do update set share_receipts = excluded.share_receipts`,
);

const forget = statement('forget_preferences', 'delete from preferences where user_id = $1');

export function createPreferenceStore(db: Knex): PreferenceStore {
  return {
    async sharesReceipts(userId) {
      const [row] = await find(db, userId);
      return row?.share_receipts ?? true;
    },
    async setSharesReceipts(userId, shares) {
      await save(db, userId, shares);
    },
    async forget(userId) {
      await forget(db, userId);
    },
  };
}
