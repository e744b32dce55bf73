import type { Knex } from '@nolo/kit/db';

/** Whoever is called by somebody whose calls they do not take hears and sees nothing of it while it lasts. */
export async function up(db: Knex): Promise<void> {
  await db.raw('alter table call_people add column silent boolean not null default false');
}

export async function down(db: Knex): Promise<void> {
  await db.raw('alter table call_people drop column silent');
}
