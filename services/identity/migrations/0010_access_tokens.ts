import type { Knex } from '@nolo/kit/db';
import { createEventCursorTables } from '@nolo/kit/events';

const kinds = `'signed_in', 'phone_added', 'phone_replaced', 'phone_removed', 'provider_added', 'provider_removed',
  'taken_back', 'undone'`;

/**
 * Adds personal access tokens, the notice of a new one, and the read position in billing's events, which tell whose
 * plan includes tokens.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table access_tokens (
      id uuid primary key,
      user_id uuid not null references users (id) on delete cascade,
      name text not null,
      scopes text[] not null check (cardinality(scopes) > 0),
      -- SHA-256 of the token; the token itself is kept nowhere.
      token_hash bytea not null unique,
      created_at timestamptz not null,
      -- To some minutes, so that a busy program is no write for each of its requests.
      last_used_at timestamptz,
      expires_at timestamptz not null,
      revoked_at timestamptz
    );
    create index access_tokens_page on access_tokens (user_id, created_at desc, id desc);
    create index access_tokens_over on access_tokens (least(expires_at, revoked_at));

    -- It takes all that the one before took, so there is nothing to validate.
    alter table security_notices drop constraint security_notices_kind_check;
    alter table security_notices add constraint security_notices_kind_check
      check (kind in (${kinds}, 'token_created')) not valid;
  `);
  await createEventCursorTables(db);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`
    drop table parked_events, event_cursors, access_tokens;
    delete from security_notices where kind = 'token_created';
    alter table security_notices drop constraint security_notices_kind_check;
    alter table security_notices add constraint security_notices_kind_check check (kind in (${kinds}));
  `);
}
