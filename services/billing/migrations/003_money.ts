import type { Knex } from '@nolo/kit/db';

/** Records adjustments made when meters are compared with the services' data. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table meter_adjustments (
      id uuid primary key,
      user_id uuid not null,
      feature text not null,
      period text not null default '',
      reservation_id uuid,
      amount bigint not null,
      reason text not null,
      at timestamptz(3) not null
    );
    comment on table meter_adjustments is 'What a meter was changed by because a service held something else.';
    comment on column meter_adjustments.amount is 'In the feature''s unit; negative where too much was counted.';
    create index meter_adjustments_listed on meter_adjustments (at desc, id desc);
    create trigger meter_adjustments_append_only before update or delete or truncate on meter_adjustments
      for each statement execute function refuse_change();
    create index ledger_customers on ledger (order_id, currency) include (amount) where account = 'customers';
    create index orders_paid on orders (coalesce(looked_at, created_at)) where state in ('paid', 'disputed');
    create index reservations_held on reservations (feature, id) where state <> 'released';
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw('drop table meter_adjustments; drop index reservations_held, ledger_customers, orders_paid');
}
