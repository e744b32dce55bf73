import type { Knex } from '@nolo/kit/db';

/**
 * Adds a blurred thumbnail of each picture, and whether it is animated. Earlier pictures have no thumbnail and count as
 * still.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw('alter table shared_files add column thumbhash text, add column moves boolean not null default false');
}

export async function down(db: Knex): Promise<void> {
  await db.raw('alter table shared_files drop column thumbhash, drop column moves');
}
