import type { Knex } from '@nolo/kit/db';
import type { MeetingStore } from '../domain/ports.ts';
import { findNextEnding } from './endings.ts';
import { fromMeetingRow, type MeetingRow } from './rows.ts';

/** Finds live meetings and when their plan ends them. */
export function createMeetingEndingStore(
  db: Knex,
): Pick<MeetingStore, 'live' | 'ending' | 'liveUnder' | 'putUnderPlan' | 'nextEnding' | 'markWarned'> {
  return {
    async live(after, limit) {
      const rows = await db<MeetingRow>('meetings')
        .where({ status: 'live' })
        .where('id', '>', after)
        .orderBy('id')
        .limit(limit);
      return rows.map(fromMeetingRow);
    },

    async ending(before) {
      const rows = await db<MeetingRow>('meetings')
        .where({ status: 'live' })
        .whereNotNull('ends_at')
        .where('ends_at', '<=', before)
        .orderBy('ends_at')
        .limit(200);
      return rows.map(fromMeetingRow);
    },

    async liveUnder(userId) {
      const rows = await db<MeetingRow>('meetings')
        .where({ status: 'live' })
        .whereRaw('case when group_id is null then host_id else coalesce(started_by, host_id) end = ?', [userId]);
      return rows.map(fromMeetingRow);
    },

    async putUnderPlan(hostId, { participants, minutes }) {
      await db('meetings')
        .where({ host_id: hostId, closed: false, group_id: null })
        .whereNot({ status: 'live' })
        .update({
          max_participants: db.raw('least(coalesce(asked_participants, max_participants), ?)', [participants]),
          asked_participants: db.raw('coalesce(asked_participants, max_participants)'),
          plan_minutes: minutes,
        });
    },

    nextEnding: (warningMinutes) => findNextEnding(db('meetings').where({ status: 'live' }), warningMinutes),

    async markWarned(id) {
      return (await db('meetings').where({ id, warned: false }).update({ warned: true })) > 0;
    },
  };
}
