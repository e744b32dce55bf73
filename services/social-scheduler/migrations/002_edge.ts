import type { Knex } from '@nolo/kit/db';
import { createEventTables } from '@nolo/kit/events';
import { addOutboxTraceparent, createOutboxTable, makeOutboxQueue } from '@nolo/kit/outbox';

/** Adds the outbox, events for files, and the choice of connections for a post. */
export async function up(db: Knex): Promise<void> {
  await createOutboxTable(db);
  await addOutboxTraceparent(db);
  await makeOutboxQueue(db);
  await createEventTables(db);
  await db.raw(`
    alter table connections add column chosen boolean not null default true;
    comment on column connections.chosen is 'Whether posts to the platform go there, unless they name their connections.';
    alter table posts add column wanted uuid[] not null default '{}';
    comment on column posts.wanted is 'Of a draft: the connections that were chosen so far.';
    -- To the millisecond, as cursors have it.
    alter table posts alter column created_at type timestamptz(3);
    create index posts_media on posts using gin (media jsonb_path_ops);
    create index posts_time on posts (user_id, coalesce(scheduled_at, created_at));
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`
    drop index posts_time, posts_media;
    alter table posts drop column wanted, alter column created_at type timestamptz;
    alter table connections drop column chosen;
    drop table outbox_parked, outbox, events, event_log;
  `);
}
