import type { Knex } from '@nolo/kit/db';

/**
 * Places new versions that replicas of the previous release store, which do not know the column. Without this they
 * would have no place, or that of an earlier version, which may stand before the epoch of the new one.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create function place_new_version() returns trigger language plpgsql as $$
    begin
      new.version_place := new.change_seq;
      return new;
    end $$;
    create trigger place_new_version before update of version on messages
      for each row when (new.version > coalesce(old.version, 0)
        and new.version_place is not distinct from old.version_place)
      execute function place_new_version();
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`
    drop trigger place_new_version on messages;
    drop function place_new_version();
  `);
}
