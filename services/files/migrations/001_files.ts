import type { Knex } from '@nolo/kit/db';

export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('uploads', (table) => {
    table.uuid('id').primary();
    table.uuid('owner_id').notNullable();
    table.text('purpose').notNullable();
    table.text('state').notNullable().checkIn(['pending', 'finished']);
    table.uuid('object_id');
    table.timestamp('created_at', { useTz: true, precision: 3 }).notNullable();
    // The time is signed together with the ID, so it must round-trip to the millisecond.
    table.timestamp('expires_at', { useTz: true, precision: 3 }).notNullable();
    table.index(['owner_id', 'state']);
    table.index(['created_at']);
  });
  await db.schema.createTable('objects', (table) => {
    table.uuid('id').primary();
    table.uuid('owner_id').notNullable();
    table.text('purpose').notNullable();
    table.text('state').notNullable().checkIn(['announced', 'ready', 'given_up']);
    table.text('content_type').notNullable();
    table.bigInteger('size').notNullable();
    table.timestamp('created_at', { useTz: true, precision: 3 }).notNullable();
    table.index(['owner_id']);
  });
  await db.raw(
    `create unique index objects_one_picture on objects (owner_id) where purpose = 'profile_image' and state = 'ready'`,
  );
  await db.raw(`create index objects_leftovers on objects (created_at) where state <> 'ready'`);
}

export async function down(db: Knex): Promise<void> {
  await db.schema.dropTable('objects');
  await db.schema.dropTable('uploads');
}
