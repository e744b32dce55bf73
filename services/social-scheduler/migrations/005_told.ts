import type { Knex } from '@nolo/kit/db';
import { removeReportedUseRetention, addReportedUseRetention } from '@nolo/installation/usage';

export async function up(db: Knex): Promise<void> {
  await addReportedUseRetention(db);
}

export async function down(db: Knex): Promise<void> {
  await removeReportedUseRetention(db);
}
