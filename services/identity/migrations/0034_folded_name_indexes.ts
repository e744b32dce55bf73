import type { Knex } from '@nolo/kit/db';

export const config = { transaction: false };

/** Indexes for name prefixes of discoverable people, and for the few rows whose names are not folded yet. */
const indexes = {
  users_folded_name: 'users (folded_name text_pattern_ops) where discoverable',
  users_folded_last_name: 'users (folded_last_name text_pattern_ops) where discoverable',
  users_unfolded: 'users (id) where folded_name is null',
  contacts_unfolded: 'contacts (id) where folded_name is null',
};

export async function up(db: Knex): Promise<void> {
  for (const [name, definition] of Object.entries(indexes)) {
    await db.raw(`drop index concurrently if exists ${name}`);
    await db.raw(`create index concurrently ${name} on ${definition}`);
  }
}

export async function down(db: Knex): Promise<void> {
  for (const name of Object.keys(indexes)) await db.raw(`drop index concurrently if exists ${name}`);
}
