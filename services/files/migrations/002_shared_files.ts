import type { Knex } from '@nolo/kit/db';

/**
 * Adds files that people send each other. stored_bytes counts against the owner's quota: the received bytes while open,
 * then the file with its thumbnails. check_at is when chat is queried for messages that use the file; null means no
 * need. attached_at is when a person was last about to send it.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table shared_files (
      id uuid primary key,
      owner_id uuid not null,
      state text not null check (state in ('open', 'ready', 'given_up')),
      multipart boolean not null,
      storage_upload_id text,
      name text not null,
      declared_type text not null,
      declared_kind text not null,
      kind text check (kind in ('image', 'video', 'audio', 'voice', 'file')),
      content_type text,
      size bigint not null default 0,
      stored_bytes bigint not null default 0,
      width int,
      height int,
      thumbnails int[] not null default '{}',
      created_at timestamptz(3) not null,
      touched_at timestamptz(3) not null,
      attached_at timestamptz(3),
      check_at timestamptz(3),
      check (state <> 'ready' or (kind is not null and content_type is not null))
    );
    create index shared_files_owner on shared_files (owner_id) include (stored_bytes) where state <> 'given_up';
    create index shared_files_open on shared_files (touched_at) where state = 'open';
    create index shared_files_due on shared_files (check_at) where state = 'ready' and check_at is not null;
    create index shared_files_given_up on shared_files (created_at) where state = 'given_up';
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw('drop table shared_files');
}
