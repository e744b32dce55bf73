import type { Knex } from '@nolo/kit/db';

/**
 * Keeps the signed lists of deleted accounts, by which members of sealed conversations check headers that name them. A
 * trigger notes the accounts, because each release deletes them.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    alter table device_lists drop constraint device_lists_user_id_fkey;

    create table kept_lists (
      -- Deleted account.
      user_id uuid primary key,
      -- When a conversation was last found to name it.
      checked_at timestamptz(3)
    );
    create index kept_lists_checked on kept_lists (checked_at nulls first);

    create function keep_lists() returns trigger language plpgsql as $$
    begin
      insert into kept_lists (user_id)
      select old.id where exists (select from device_lists where user_id = old.id);
      return null;
    end $$;
    create trigger keep_lists after delete on users for each row execute function keep_lists();
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`
    drop trigger keep_lists on users;
    drop function keep_lists();
    delete from device_lists where user_id in (select user_id from kept_lists);
    drop table kept_lists;
    alter table device_lists add constraint device_lists_user_id_fkey
      foreign key (user_id) references users (id) on delete cascade;
  `);
}
