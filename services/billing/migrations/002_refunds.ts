import type { Knex } from '@nolo/kit/db';

/** Stores refund requests because not every gateway recognizes a repeated refund. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table refund_requests (
      id uuid primary key,
      order_id uuid not null references orders,
      amount bigint not null check (amount > 0),
      refunded_before bigint not null,
      asked_at timestamptz not null,
      is_done boolean not null default false
    );
    comment on column refund_requests.refunded_before is 'What was given back of the order until then, by which a look-up tells whether this one was made.';
    create index refund_requests_of on refund_requests (order_id);
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw('drop table refund_requests');
}
