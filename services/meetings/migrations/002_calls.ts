import type { Knex } from '@nolo/kit/db';

export async function up(db: Knex): Promise<void> {
  await db.raw(`
    -- When the call is to be written into its conversation; null where it is not, or has been.
    alter table calls add column note_at timestamptz(3);
    -- Since when nobody in the call has a socket.
    alter table calls add column alone_since timestamptz(3);
    create index calls_notes on calls (note_at) where note_at is not null;
    drop index calls_ringing;
    create index meetings_live on meetings (id) where status = 'live';

    -- Nobody is any of these in a call that has ended, so the index is as small as what goes on now.
    create index call_people_active on call_people (user_id) where state in ('calling', 'ringing', 'joined');
    create index call_people_ringing on call_people (created_at) where state = 'ringing';
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`
    drop index call_people_ringing, call_people_active, meetings_live;
    create index calls_ringing on calls (created_at) where status = 'ringing';
    drop index calls_notes;
    alter table calls drop column alone_since, drop column note_at;
  `);
}
