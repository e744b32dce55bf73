import type { Knex } from '@nolo/kit/db';

/**
 * Adds epochs of conversations and rows of vaults (docs/encryption.md, sections 4 and 6). A vault is in no list of
 * conversations, so epochs refer to no row of `conversations`.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table vaults (
      conversation_id uuid primary key,
      user_id uuid not null,
      -- Hash of the first device list.
      identity bytea not null,
      last_row bigint not null default 0,
      row_count int not null default 0,
      created_at timestamptz(3) not null
    );
    create index vaults_user on vaults (user_id);

    create table epochs (
      conversation_id uuid not null,
      n int not null,
      hash bytea not null,
      body bytea not null,
      signature bytea not null,
      roster bytea not null,
      user_id uuid not null,
      device_id uuid not null,
      previous_secret bytea,
      -- True if somebody lost the secret with this epoch, so rows of the one before are late at once.
      ends_rows boolean not null,
      created_at timestamptz(3) not null,
      primary key (conversation_id, n)
    );

    create table epoch_boxes (
      conversation_id uuid not null,
      n int not null,
      -- Zeros for the recovery key.
      device_id uuid not null,
      purpose text not null check (purpose in ('box', 'answer')),
      box bytea not null,
      primary key (conversation_id, n, device_id, purpose),
      foreign key (conversation_id, n) references epochs (conversation_id, n) on delete cascade
    );

    create table epoch_nacks (
      conversation_id uuid not null,
      n int not null,
      device_id uuid not null,
      body bytea not null,
      signature bytea not null,
      at timestamptz(3) not null,
      primary key (conversation_id, n, device_id),
      foreign key (conversation_id, n) references epochs (conversation_id, n) on delete cascade
    );

    -- Lists that rosters name, as identity checked them.
    create table epoch_lists (
      user_id uuid not null,
      hash bytea not null,
      identity bytea not null,
      body bytea not null,
      primary key (user_id, hash)
    );

    create table vault_rows (
      conversation_id uuid not null references vaults (conversation_id) on delete cascade,
      "row" bigint not null,
      device_id uuid not null,
      client_message_id uuid not null,
      epoch int not null,
      own bytea[] not null,
      sealed bytea not null,
      at timestamptz(3) not null,
      primary key (conversation_id, "row"),
      unique (conversation_id, device_id, client_message_id)
    );
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw('drop table vault_rows, epoch_lists, epoch_nacks, epoch_boxes, epochs, vaults');
}
