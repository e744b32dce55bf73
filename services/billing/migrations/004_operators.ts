import type { Knex } from '@nolo/kit/db';

/** Stores the operators of billing, so they can be added after the start. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table operators (
      user_id uuid primary key,
      since timestamptz(3) not null
    );
    comment on table operators is 'Accounts that were let in by src/operators.ts, beside those that BILLING_OPERATORS names.';
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw('drop table operators');
}
