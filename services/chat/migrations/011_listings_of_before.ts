import type { Knex } from '@nolo/kit/db';

export const config = { transaction: false };

/** Number of conversations per step, to keep locks short. */
const step = 500;

/**
 * Adds existing conversations to the listings. Each step is a transaction that locks its conversations against messages
 * and membership changes. An interrupted run continues where it stopped.
 */
export async function up(db: Knex): Promise<void> {
  let after: string | null = null;
  do {
    const { rows } = (await db.raw(
      `with chosen as materialized (
        select id from conversations where (?::uuid is null or id > ?::uuid) and listed_at is null and type <> 'meeting'
        order by id limit ? for no key update
      ), listed as materialized (
        update conversations c set listed_at = coalesce(c.last_message_at, c.created_at) from chosen
        where c.id = chosen.id returning c.id, c.type, c.listed_at
      ), members_listed as (
        insert into listings (conversation_id, user_id, direct, listed_at)
        select m.conversation_id, m.user_id, l.type = 'direct', l.listed_at
        from listed l join members m on m.conversation_id = l.id and m.left_at is null
        on conflict (conversation_id, user_id) do nothing
      )
      select id from listed order by id desc limit 1`,
      [after, after, step],
    )) as { rows: { id: string }[] };
    after = rows[0]?.id ?? null;
  } while (after !== null);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`delete from listings; update conversations set listed_at = null`);
}
