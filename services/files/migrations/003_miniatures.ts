import type { Knex } from '@nolo/kit/db';

/** A blurred miniature of each picture, and whether it moves. Pictures of before have none, and stand still where asked. */
export async function up(db: Knex): Promise<void> {
  await db.raw('alter table shared_files add column thumbhash text, add column moves boolean not null default false');
}

export async function down(db: Knex): Promise<void> {
  await db.raw('alter table shared_files drop column thumbhash, drop column moves');
}
