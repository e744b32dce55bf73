import type { Knex } from '@nolo/kit/db';

/**
 * Lets conversations have epochs and sealed messages (docs/encryption.md, sections 4, 5, and 9). No table is rewritten:
 * new columns are null or have a constant default.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    alter table conversations
      -- Number of the newest epoch. Null while messages are not sealed.
      add column epoch int,
      -- First message that had to be sealed.
      add column sealed_from_seq bigint,
      -- True while somebody lost access and no epoch says so. Until one does, no message is accepted.
      add column removal_pending boolean not null default false,
      -- Counts what set removal_pending, so that an epoch that was made before does not clear it.
      add column removals int not null default 0;

    alter table epochs
      -- Newest message and change of the conversation when the epoch began. Null in vaults.
      add column seq bigint,
      add column change_seq bigint,
      -- Seconds after which messages of this epoch disappear, or 0.
      add column timer int not null default 0;

    -- Signed leaves that no epoch contains yet.
    create table epoch_leaves (
      conversation_id uuid not null,
      user_id uuid not null,
      -- Change 2 with its evidence, in canonical encoding.
      change bytea not null,
      at timestamptz(3) not null,
      primary key (conversation_id, user_id)
    );

    alter table messages
      -- Newest version. Null in messages that are not sealed, and in erased ones.
      add column sealed bytea,
      add column epoch int,
      add column device_id uuid,
      -- Counts edits from 0. Null in messages that are not sealed.
      add column version int,
      add column own bytea[],
      -- Row hash of the message that the newest version refers to.
      add column target_row bytea,
      -- Row hash of the first version, and what it covers. Both stay when the message is erased.
      add column row_hash bytea,
      add column origin bytea,
      -- Signed deletion for everyone.
      add column deletion bytea,
      -- Draft that it approves.
      add column draft_id uuid,
      -- True if it has rows in sealed_annotations.
      add column annotated boolean not null default false,
      drop constraint messages_encryption_check,
      -- The former constraint covered less, so stored messages need no check.
      add constraint messages_encryption check (encryption in ('none', 'epochs', 'mls')) not valid;

    alter table held_messages
      -- Message in which an admin approved a sealed draft; then rejected_at is when.
      add column approved_as uuid;

    -- Sealed reactions and pins: the newest one of each person.
    create table sealed_annotations (
      conversation_id uuid not null,
      seq bigint not null,
      kind text not null check (kind in ('reaction', 'pin')),
      user_id uuid not null,
      device_id uuid not null,
      client_message_id uuid not null,
      epoch int not null,
      sealed bytea not null,
      -- Change of the conversation with which it was stored.
      place bigint not null,
      at timestamptz(3) not null,
      primary key (conversation_id, seq, kind, user_id),
      foreign key (conversation_id, seq) references messages (conversation_id, seq) on delete cascade
    );
    create index sealed_annotations_user on sealed_annotations (user_id, conversation_id);
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`
    drop table sealed_annotations, epoch_leaves;
    alter table messages
      drop constraint messages_encryption,
      add constraint messages_encryption_check check (encryption in ('none', 'mls')) not valid,
      drop column sealed, drop column epoch, drop column device_id, drop column version, drop column own,
      drop column target_row, drop column row_hash, drop column origin, drop column deletion, drop column draft_id,
      drop column annotated;
    alter table held_messages drop column approved_as;
    alter table epochs drop column seq, drop column change_seq, drop column timer;
    alter table conversations drop column epoch, drop column sealed_from_seq, drop column removal_pending,
      drop column removals;
  `);
}
