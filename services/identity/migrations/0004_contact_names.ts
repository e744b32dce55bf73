import type { Knex } from '@nolo/kit/db';

/**
 * Records whether the owner named the contact. A name that was only filled in, from the number or the person's own
 * name, gives way to the person's current name.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    alter table contacts add column named boolean not null default true;
    update contacts c set named = false where c.display_name = c.phone_number or c.display_name = 'New contact';
    update contacts c set named = false from users u
      where u.id = c.user_id and c.display_name = trim(u.first_name || ' ' || u.last_name);
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw('alter table contacts drop column named');
}
