import type { Knex } from '@nolo/kit/db';
import { createEventCursorTables } from '@nolo/kit/events';
import { createJobsTable } from '@nolo/kit/jobs';

export async function up(db: Knex): Promise<void> {
  await createJobsTable(db);
  await createEventCursorTables(db);
  await db.raw(`
    create table connections (
      id uuid primary key,
      user_id uuid not null,
      platform text not null,
      server text not null default '',
      account_id text not null,
      name text not null,
      sealed_tokens bytea not null,
      tokens_end_at timestamptz,
      state text not null default 'active' check (state in ('active', 'expired')),
      connected_at timestamptz not null default now(),
      unique (user_id, platform, server, account_id)
    );
    comment on column connections.sealed_tokens is 'AES-256-GCM under a key of SOCIAL_TOKEN_KEYS, bound to the id.';

    create table pending_connections (
      state_hash bytea primary key,
      user_id uuid not null,
      platform text not null,
      sealed bytea not null,
      expires_at timestamptz not null
    );
    create index pending_connections_end on pending_connections (expires_at);
    create index pending_connections_of on pending_connections (user_id);

    create table server_apps (
      server text not null,
      redirect_uri text not null,
      client_id text not null,
      sealed_secret bytea not null,
      primary key (server, redirect_uri)
    );

    create table posts (
      id uuid primary key,
      user_id uuid not null,
      text text not null,
      texts jsonb not null default '{}',
      media jsonb not null default '[]',
      scheduled_at timestamptz,
      local_time text,
      time_zone text,
      state text not null
        check (state in ('draft', 'scheduled', 'publishing', 'published', 'failed', 'needs_review', 'cancelled')),
      version integer not null default 1,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    );
    comment on column posts.texts is 'Texts of platforms that have another one, by platform.';
    create index posts_of on posts (user_id, created_at desc, id desc);

    create table deliveries (
      id uuid primary key,
      post_id uuid not null references posts on delete cascade,
      connection_id uuid references connections on delete set null,
      platform text not null,
      account_name text not null,
      state text not null default 'waiting'
        check (state in ('waiting', 'publishing', 'published', 'failed', 'needs_review', 'cancelled')),
      attempts integer not null default 0,
      since timestamptz,
      kept text,
      committed_at timestamptz,
      reason text,
      retry_at timestamptz,
      remote_id text,
      address text,
      published_at timestamptz,
      unique (post_id, connection_id)
    );
    comment on column deliveries.id is 'Also the id of its job, and what a platform is told so that it knows an attempt again.';
    comment on column deliveries.committed_at is 'Set before the request that makes the post public; nobody sends again without looking.';
    create index deliveries_of on deliveries (post_id);
    create index deliveries_at on deliveries (connection_id);
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`
    drop table deliveries, posts, server_apps, pending_connections, connections;
    drop table parked_events, event_cursors, jobs;
  `);
}
