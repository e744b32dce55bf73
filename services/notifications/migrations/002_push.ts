import type { Knex } from '@nolo/kit/db';

export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table push_keys (
      one boolean primary key default true check (one),
      public_key text not null,
      sealed_private_key bytea not null
    );
    comment on table push_keys is 'The key that browsers know this installation by, made where PUSH_VAPID_KEY names none.';

    create table push_subscriptions (
      id uuid primary key,
      user_id uuid not null,
      session_id uuid not null unique,
      endpoint text not null unique,
      p256dh text not null,
      auth text not null,
      created_at timestamptz(3) not null
    );
    create index push_subscriptions_of on push_subscriptions (user_id, created_at);

    create table pushes (
      id uuid primary key,
      subscription_id uuid not null references push_subscriptions on delete cascade,
      topic text not null,
      type text not null,
      body jsonb not null,
      urgency text not null,
      version integer not null default 1,
      attempts integer not null default 0,
      happened_at timestamptz(3) not null,
      expires_at timestamptz(3) not null,
      unique (subscription_id, topic)
    );
    comment on column pushes.id is 'Also the id of its job; both go together.';
    comment on column pushes.version is 'Raised by what takes the place of what was not sent yet.';

    create table pushed_events (
      id uuid primary key,
      pushed_at timestamptz(3) not null
    );
    comment on table pushed_events is 'Events that were made into pushes, for a day: one that is told again is not pushed again.';
    create index pushed_events_age on pushed_events (pushed_at);

    create table push_settings (
      user_id uuid primary key,
      kinds text[] not null,
      preview boolean not null,
      sound boolean not null,
      vibration boolean not null,
      quiet_from smallint,
      quiet_to smallint,
      quiet_zone text,
      check ((quiet_from is null) = (quiet_zone is null) and (quiet_to is null) = (quiet_zone is null))
    );
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw('drop table push_settings, pushed_events, pushes, push_subscriptions, push_keys');
}
