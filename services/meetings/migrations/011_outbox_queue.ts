import type { Knex } from '@nolo/kit/db';
import { makeOutboxQueue, unmakeOutboxQueue } from '@nolo/kit/outbox';

/** Gives outbox rows a key and a due time, and sets aside rows that cannot be delivered. */
export async function up(db: Knex): Promise<void> {
  await makeOutboxQueue(db);
}

export async function down(db: Knex): Promise<void> {
  await unmakeOutboxQueue(db);
}
