import type { Knex } from '@nolo/kit/db';

/** Deletes meeting chats after 30 days (decision 23), including earlier ones. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    update messages m set expires_at = least(m.expires_at, m.created_at + make_interval(days => 30))
    from conversations c where c.id = m.conversation_id and c.type = 'meeting' and m.deleted_at is null
  `);
}

/** Existing times stay because their origin is unknown. */
export async function down(): Promise<void> {}
