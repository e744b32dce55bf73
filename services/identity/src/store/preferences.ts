import type { Knex } from '@nolo/kit/db';
import type { Preference, SyncedPreferenceStore } from '../domain/preferencePorts.ts';

const columns = 'name, value::text as json, changed_at as "changedAt"';

export function createSyncedPreferenceStore(db: Knex): SyncedPreferenceStore {
  return {
    async list(userId) {
      const { rows } = await db.raw<{ rows: Preference[] }>(
        `select ${columns} from preferences where user_id = ? order by name`,
        [userId],
      );
      return rows;
    },

    async set(userId, chosen) {
      const { rows } = await db.raw<{ rows: Preference[] }>(
        `insert into preferences (user_id, name, value, changed_at)
         select u.id, c.name, c.value::jsonb, c.changed_at
         from users u, unnest(:names::text[], :values::text[], :times::timestamptz[]) as c (name, value, changed_at)
         where u.id = :userId
         order by c.name
         on conflict (user_id, name) do update set value = excluded.value, changed_at = excluded.changed_at
           where preferences.changed_at <= excluded.changed_at
         returning ${columns}`,
        {
          userId,
          names: chosen.map(({ name }) => name),
          values: chosen.map(({ json }) => json),
          times: chosen.map(({ changedAt }) => changedAt.toISOString()),
        },
      );
      return rows;
    },
  };
}
