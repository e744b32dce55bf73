import type { Knex } from '@nolo/kit/db';

/** Adds which reports an operator has just read, so a page reload counts as one view in the audit. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table report_looks (
      operator_id uuid not null references users (id) on delete cascade,
      -- Nothing but zeros where there was none to be read.
      report_id uuid not null,
      at timestamptz not null,
      primary key (operator_id, report_id)
    );
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw('drop table report_looks');
}
