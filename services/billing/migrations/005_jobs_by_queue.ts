import type { Knex } from '@nolo/kit/db';
import { indexJobsByQueue } from '@nolo/kit/jobs';

export const config = { transaction: false };

export async function up(db: Knex): Promise<void> {
  await indexJobsByQueue(db);
}

export async function down(): Promise<void> {
  // Keeps the index because the previous release also reads by it.
}
