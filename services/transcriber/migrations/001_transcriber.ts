import type { Knex } from '@nolo/kit/db';

export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('usage', (table) => {
    table.uuid('user_id').notNullable();
    // "2026-11", in UTC.
    table.specificType('month', 'char(7)').notNullable();
    table.integer('seconds').notNullable();
    table.primary(['user_id', 'month']);
  });
  await db.schema.createTable('claims', (table) => {
    table.uuid('id').primary();
    table.uuid('user_id').notNullable().index();
    table.specificType('month', 'char(7)').notNullable();
    table.integer('seconds').notNullable();
    table.timestamp('expires_at', { useTz: true, precision: 3 }).notNullable().index();
  });
}

export async function down(db: Knex): Promise<void> {
  await db.schema.dropTable('claims');
  await db.schema.dropTable('usage');
}
