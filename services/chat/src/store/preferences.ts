import type { Knex } from '@nolo/kit/db';
import type { PreferenceStore } from '../domain/ports.ts';
import { defineStatement } from './statement.ts';

interface PreferencesRow {
  share_receipts: boolean;
  keep_archived: boolean;
}

const find = defineStatement<PreferencesRow>(
  'find_preferences',
  'select share_receipts, keep_archived from preferences where user_id = $1',
);

/** $1 person, $2 true to share receipts, $3 true to keep conversations archived; null for no change. */
const save = defineStatement<PreferencesRow>(
  'save_preferences',
  `insert into preferences (user_id, share_receipts, keep_archived)
  values ($1, coalesce($2::boolean, true), coalesce($3::boolean, false))
  on conflict (user_id) do update set share_receipts = coalesce($2::boolean, preferences.share_receipts),
    keep_archived = coalesce($3::boolean, preferences.keep_archived)
  returning share_receipts, keep_archived`,
);

const forget = defineStatement('forget_preferences', 'delete from preferences where user_id = $1');

/** A missing row means the defaults. */
const toPreferences = (row: PreferencesRow | undefined) => ({
  shareReceipts: row?.share_receipts ?? true,
  keepArchived: row?.keep_archived ?? false,
});

export function createPreferenceStore(db: Knex): PreferenceStore {
  return {
    async find(userId) {
      const [row] = await find(db, userId);
      return toPreferences(row);
    },
    async change(userId, { shareReceipts, keepArchived }) {
      const [row] = await save(db, userId, shareReceipts ?? null, keepArchived ?? null);
      return toPreferences(row);
    },
    async forget(userId) {
      await forget(db, userId);
    },
  };
}
