import type { Knex } from '@nolo/kit/db';
import type { CallId } from '@nolo/kit/ids';
import {} from '../domain/call.ts';
import type { CallStore } from '../domain/callPorts.ts';
import { findNextEnding } from './endings.ts';
import type { CallPersonRow } from './callRows.ts';
import { loadCalls } from './callLookups.ts';

/** Maximum calls per query whose time is up or nearly up. */
const maxEndingCallsPerPoll = 200;

/** Finds calls with deadlines: ringing, ending, or to be written into their conversation. */
export function createCallDeadlineStore(
  db: Knex,
): Pick<
  CallStore,
  | 'ringingSince'
  | 'ringsSince'
  | 'answered'
  | 'setAlone'
  | 'setEndsAt'
  | 'ending'
  | 'nextEnding'
  | 'markWarned'
  | 'takeCallsWithoutSystemMessage'
  | 'completeSystemMessage'
> {
  return {
    async ringingSince(before, limit) {
      const rows = (await db('call_people')
        .where({ state: 'ringing' })
        .where('created_at', '<=', before)
        .orderBy('created_at')
        .limit(limit)) as CallPersonRow[];
      return rows.map(({ call_id, user_id }) => ({ callId: call_id, userId: user_id }));
    },

    async ringsSince() {
      const row = (await db('call_people').where({ state: 'ringing' }).orderBy('created_at').first('created_at')) as
        { created_at: Date } | undefined;
      return row?.created_at;
    },

    async answered(after, limit) {
      const rows = (await db('calls')
        .whereNot('status', 'ended')
        .whereNot('status', 'ringing')
        .where('id', '>', after)
        .orderBy('id')
        .limit(limit)
        .select('id')) as { id: CallId }[];
      return loadCalls(
        db,
        rows.map(({ id }) => id),
      );
    },

    async setAlone(id, since) {
      await db('calls').where({ id }).update({ alone_since: since });
    },

    async setEndsAt(id, endsAt) {
      await db('calls')
        .where({ id })
        .modify((query) => {
          if (endsAt !== null) query.whereNull('ends_at');
        })
        .update({ ends_at: endsAt, warned: false });
    },

    async ending(before) {
      const rows = (await db('calls')
        .whereNot('status', 'ended')
        .where('ends_at', '<=', before)
        .orderBy('ends_at')
        .limit(maxEndingCallsPerPoll)
        .select('id', 'ends_at')) as { id: CallId; ends_at: Date }[];
      return rows.map(({ id, ends_at }) => ({ callId: id, endsAt: ends_at }));
    },

    nextEnding: (warningMinutes) => findNextEnding(db('calls').whereNot('status', 'ended'), warningMinutes),

    async markWarned(id) {
      return (await db('calls').where({ id, warned: false }).update({ warned: true })) > 0;
    },

    async takeCallsWithoutSystemMessage(now, retryAt, limit) {
      const due = db('calls').where('note_at', '<=', now).orderBy('note_at').limit(limit).select('id');
      const rows = (await db('calls')
        .whereIn('id', due.forUpdate().skipLocked())
        .update({ note_at: retryAt })
        .returning('id')) as { id: CallId }[];
      return loadCalls(
        db,
        rows.map(({ id }) => id),
      );
    },

    async completeSystemMessage(id) {
      await db('calls').where({ id }).update({ note_at: null });
    },
  };
}
