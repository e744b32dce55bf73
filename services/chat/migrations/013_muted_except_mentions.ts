import type { Knex } from '@nolo/kit/db';

export async function up(db: Knex): Promise<void> {
  await db.raw(`
    alter table members add column muted_except_mentions boolean not null default false;
    comment on column members.muted_except_mentions is 'While it is muted, what names or answers the member is told all the same.';
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw('alter table members drop column muted_except_mentions');
}
