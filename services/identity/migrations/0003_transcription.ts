import type { Knex } from '@nolo/kit/db';

/** Adds permission to transcribe a person's voice notes, off by default (decision 32). */
export async function up(db: Knex): Promise<void> {
  await db.raw('alter table users add column transcribe_voice_notes boolean not null default false');
}

export async function down(db: Knex): Promise<void> {
  await db.raw('alter table users drop column transcribe_voice_notes');
}
