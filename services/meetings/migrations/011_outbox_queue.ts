import type { Knex } from '@nolo/kit/db';
import { makeOutboxQueue, unmakeOutboxQueue } from '@nolo/kit/outbox';

/** Rows of the outbox have a key, may wait for their time, and are set aside where they cannot be passed on. */
export async function up(db: Knex): Promise<void> {
  await makeOutboxQueue(db);
}

export async function down(db: Knex): Promise<void> {
  await unmakeOutboxQueue(db);
}
