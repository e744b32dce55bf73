import type { Knex } from '@nolo/kit/db';
import { createOutboxTable } from '@nolo/kit/outbox';

export async function up(db: Knex): Promise<void> {
  await createOutboxTable(db);
  await db.raw(`
    create table meetings (
      id uuid primary key,
      -- Given up when the meeting is closed, so that the name space of six characters never fills up.
      room_code text unique,
      last_room_code text not null,
      conversation_id uuid not null,
      host_id uuid not null,
      name text not null,
      description text not null default '',
      max_participants integer not null,
      scheduled_at timestamptz(3),
      duration_minutes integer not null default 0,
      time_zone text not null default '',
      recurrence text not null check (recurrence in ('none', 'daily', 'weekdays', 'weekly', 'monthly')),
      status text not null check (status in ('scheduled', 'live', 'completed', 'cancelled')),
      -- Ended by a host, by the plan, or taken back: nobody gets in again. One that its last participant left is not.
      closed boolean not null default false,
      allow_recording boolean not null,
      require_auth boolean not null,
      waiting_room boolean not null,
      allow_screen_share boolean not null,
      mute_on_entry boolean not null,
      locked boolean not null default false,
      is_recording boolean not null default false,
      invite_hash bytea,
      -- Minutes that the host's plan gives a meeting of three or more; null without a limit.
      plan_minutes integer,
      started_at timestamptz(3),
      ended_at timestamptz(3),
      ends_at timestamptz(3),
      warned boolean not null default false,
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null
    );
    create index meetings_host on meetings (host_id);
    create index meetings_ends on meetings (ends_at) where ends_at is not null;

    -- Everyone with a part in a meeting: who hosts, who was inside, who was let in or removed. Guests by their guest id.
    create table meeting_people (
      meeting_id uuid not null references meetings (id) on delete cascade,
      user_id uuid not null,
      role text not null check (role in ('host', 'co_host', 'participant', 'guest')),
      admitted boolean not null default false,
      removed boolean not null default false,
      visited_at timestamptz(3),
      primary key (meeting_id, user_id)
    );
    create index meeting_people_user on meeting_people (user_id, meeting_id);

    create table guests (
      id uuid primary key,
      meeting_id uuid not null references meetings (id) on delete cascade,
      name text not null,
      token_hash bytea not null unique,
      expires_at timestamptz(3) not null
    );
    create index guests_expiry on guests (expires_at);

    create table calls (
      id text primary key,
      conversation_id uuid not null,
      type text not null check (type in ('audio', 'video')),
      status text not null check (status in ('ringing', 'connecting', 'connected', 'ended')),
      mode text not null check (mode in ('direct', 'room')),
      caller_id uuid not null,
      end_reason text check (end_reason in ('completed', 'declined', 'missed', 'cancelled', 'busy', 'failed')),
      created_at timestamptz(3) not null,
      started_at timestamptz(3),
      ended_at timestamptz(3)
    );
    create index calls_ringing on calls (created_at) where status = 'ringing';
    create index calls_open on calls (id) where status <> 'ended';

    create table call_people (
      call_id text not null references calls (id) on delete cascade,
      user_id uuid not null,
      device_id text not null default '',
      state text not null check (state in ('calling', 'ringing', 'joined', 'declined', 'missed', 'busy', 'left')),
      created_at timestamptz(3) not null,
      primary key (call_id, user_id)
    );
    create index call_people_user on call_people (user_id, created_at desc, call_id);

    create table call_preferences (
      user_id uuid primary key,
      relay_calls boolean not null default false
    );
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`drop table call_preferences, call_people, calls, guests, meeting_people, meetings, outbox;`);
}
