import type { Knex } from '@nolo/kit/db';

/**
 * Gives each browser that requests a code its own code, so one browser's guesses do not use up another's. The table of
 * codes per number stays until the previous release is out of use.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table asked_codes (
      number_hash bytea not null,
      -- The browser that asked, or where it keeps no mark, its network.
      asker_hash bytea not null,
      network_hash bytea not null,
      id uuid not null,
      code_hash bytea not null,
      tries smallint not null default 0,
      created_at timestamptz not null,
      expires_at timestamptz not null,
      used_at timestamptz,
      primary key (number_hash, asker_hash)
    );
    create index asked_codes_expiry on asked_codes (expires_at);

    -- Browsers that have signed in with a number: what strangers ask for with it does not count against them.
    create table known_askers (
      number_hash bytea not null,
      asker_hash bytea not null,
      last_used_at timestamptz not null,
      primary key (number_hash, asker_hash)
    );
    create index known_askers_age on known_askers (last_used_at);

    alter table verification_sends
      add column asker_hash bytea,
      add column network_hash bytea,
      add column known boolean not null default false;
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`
    alter table verification_sends drop column known, drop column network_hash, drop column asker_hash;
    drop table known_askers, asked_codes;
  `);
}
