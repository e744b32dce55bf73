import type { Knex } from '@nolo/kit/db';
import { indexJobsByQueue } from '@nolo/kit/jobs';

export const config = { transaction: false };

export async function up(db: Knex): Promise<void> {
  await indexJobsByQueue(db);
}

export async function down(): Promise<void> {
  // The previous release also uses this index.
}
