import type { Knex } from '@nolo/kit/db';
import { createEventCursorTables } from '@nolo/kit/events';
import { createJobsTable } from '@nolo/kit/jobs';

export async function up(db: Knex): Promise<void> {
  await createJobsTable(db);
  await createEventCursorTables(db);
  await db.raw(`
    create table webhooks (
      id uuid primary key,
      user_id uuid not null,
      url text not null,
      description text not null default '',
      events text[] not null check (cardinality(events) > 0),
      state text not null default 'active' check (state in ('active', 'paused', 'disabled')),
      reason text,
      sealed_secret bytea not null,
      sealed_old_secret bytea,
      old_secret_until timestamptz(3),
      failing_since timestamptz(3),
      created_at timestamptz(3) not null
    );
    comment on column webhooks.sealed_secret is 'AES-256-GCM under a key of WEBHOOK_KEYS, bound to the id.';
    create index webhooks_of on webhooks (user_id);
    create index webhooks_events on webhooks using gin (events) where state = 'active';

    create table deliveries (
      id uuid primary key,
      webhook_id uuid not null references webhooks on delete cascade,
      type text not null,
      body text not null,
      state text not null default 'waiting' check (state in ('waiting', 'ready', 'sending', 'delivered', 'failed')),
      attempts integer not null default 0,
      response_status integer,
      reason text,
      created_at timestamptz(3) not null,
      attempted_at timestamptz(3),
      next_attempt_at timestamptz(3)
    );
    comment on column deliveries.id is 'Also the id of its job, and what receivers get as webhook-id.';
    comment on column deliveries.state is 'waiting has a job; ready is due and has none, because as many as may be are under way to its webhook.';
    create index deliveries_of on deliveries (webhook_id, created_at desc, id desc);
    create index deliveries_open on deliveries (webhook_id, state) where state in ('waiting', 'ready', 'sending');
    create index deliveries_age on deliveries (created_at);

    create table plans (
      user_id uuid primary key,
      plan text not null
    );
    comment on table plans is 'The plan that accounts with webhooks had when it was last heard of, so that a change is known as one.';
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw('drop table plans, deliveries, webhooks, parked_events, event_cursors, jobs');
}
