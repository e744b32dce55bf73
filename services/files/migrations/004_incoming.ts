import type { Knex } from '@nolo/kit/db';

/** Adds the location where the parts of an upload are assembled if its uploader may have credentials for it. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    alter table shared_files add column incoming_key text;
    create index shared_files_incoming on shared_files (incoming_key) where state = 'open' and incoming_key is not null;
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw('alter table shared_files drop column incoming_key');
}
