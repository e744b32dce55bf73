import type { Knex } from '@nolo/kit/db';

/** What was said beside meetings is kept for 30 days (decision 23), also what was said before this was seen to. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    update messages m set expires_at = least(m.expires_at, m.created_at + make_interval(days => 30))
    from conversations c where c.id = m.conversation_id and c.type = 'meeting' and m.deleted_at is null
  `);
}

/** What has a time keeps it: nobody can tell any more who gave it. */
export async function down(): Promise<void> {}
