import type { Knex } from '@nolo/kit/db';

/** Adds reports to the operators. The audit records what was done about a report, but none of its content. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table reports (
      id uuid primary key,
      at timestamptz(3) not null,
      -- Who reported is forgotten with their account; with that of whom was reported goes the report.
      reporter_id uuid references users (id) on delete set null,
      reported_id uuid references users (id) on delete cascade,
      kind text not null check (kind in ('person', 'message', 'group', 'status')),
      target_id uuid not null,
      category text not null check (category in ('spam', 'harassment', 'violence', 'impersonation', 'other')),
      note text check (length(note) <= 1000),
      -- A list of senderId, sentAt and text, as the reporter handed it over.
      messages jsonb not null,
      state text not null default 'open' check (state in ('open', 'in_progress', 'closed')),
      outcome text check (outcome in ('nothing', 'warned', 'suspended', 'removed')),
      closed_at timestamptz(3),
      check ((state = 'closed') = (outcome is not null) and (state = 'closed') = (closed_at is not null))
    );
    create index reports_state on reports (state, id);
    create index reports_reporter on reports (reporter_id) where reporter_id is not null;
    create index reports_reported on reports (reported_id) where reported_id is not null;
    create index reports_closed on reports (closed_at) where closed_at is not null;

    create table report_notes (
      report_id uuid not null references reports (id) on delete cascade,
      at timestamptz(3) not null,
      -- Absent at the command line.
      operator_id uuid,
      text text not null check (length(text) <= 500)
    );
    create index report_notes_report on report_notes (report_id, at);
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw('drop table report_notes, reports');
}
