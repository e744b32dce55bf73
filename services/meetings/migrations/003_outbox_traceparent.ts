import type { Knex } from '@nolo/kit/db';
import { addOutboxTraceparent } from '@nolo/kit/outbox';

/** Records in the outbox the trace in which a row was written. */
export async function up(db: Knex): Promise<void> {
  await addOutboxTraceparent(db);
}

export async function down(db: Knex): Promise<void> {
  await db.raw('alter table outbox drop column traceparent');
}
