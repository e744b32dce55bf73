import type { Knex } from '@nolo/kit/db';
import { dropUnusedOutboxParts, restoreUnusedOutboxParts } from '@nolo/kit/outbox';

export const config = { transaction: false };

export async function up(db: Knex): Promise<void> {
  await dropUnusedOutboxParts(db);
}

export async function down(db: Knex): Promise<void> {
  await restoreUnusedOutboxParts(db);
}
