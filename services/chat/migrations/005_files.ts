import type { Knex } from '@nolo/kit/db';

/**
 * Adds the files of messages: anyone who may read a message may read its files. Most messages have none and are in none
 * of the indexes. Messages pending approval also have files, and lose them with their text.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    alter table messages
      add column media_info text,
      add column preview_url text,
      add column file_ids uuid[],
      drop constraint messages_message_type_check,
      add constraint messages_message_type_check
        check (message_type in ('text', 'image', 'video', 'file', 'voice', 'system')) not valid;
    alter table messages validate constraint messages_message_type_check;
    create index messages_files on messages using gin (file_ids) where file_ids is not null;

    alter table held_messages add column file_ids uuid[];
    create index held_messages_files on held_messages using gin (file_ids) where file_ids is not null;
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`
    alter table held_messages drop column file_ids;
    update messages set message_type = 'file' where message_type = 'video';
    alter table messages
      drop column media_info, drop column preview_url, drop column file_ids,
      drop constraint messages_message_type_check,
      add constraint messages_message_type_check
        check (message_type in ('text', 'image', 'file', 'voice', 'system'));
  `);
}
