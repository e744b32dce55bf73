import type { Knex } from '@nolo/kit/db';
import { createJobsTable } from '@nolo/kit/jobs';

/**
 * Adds archives for account export, one per account, and the jobs that build them. parts holds the initial contents
 * until the archive is built; export_files lists the files to include, so that no list of them is held in memory.
 */
export async function up(db: Knex): Promise<void> {
  await createJobsTable(db);
  await db.raw(`
    create table exports (
      id uuid primary key,
      owner_id uuid not null,
      language text not null,
      state text not null check (state in ('running', 'ready', 'failed', 'given_up')),
      step text not null default 'account' check (step in ('account', 'messages', 'files')),
      percent int not null default 0,
      parts json,
      size bigint,
      started_at timestamptz(3) not null,
      ended_at timestamptz(3),
      expires_at timestamptz(3)
    );
    create unique index exports_one on exports (owner_id) where state <> 'given_up';
    create index exports_over on exports (coalesce(expires_at, started_at));

    create table export_files (
      export_id uuid not null references exports (id) on delete cascade,
      file_id uuid not null,
      primary key (export_id, file_id)
    );
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw('drop table export_files, exports, jobs');
}
