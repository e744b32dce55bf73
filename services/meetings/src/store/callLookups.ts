import type { Knex } from '@nolo/kit/db';
import type { CallId, UserId } from '@nolo/kit/ids';
import { callIdPrefix, isCallHiddenFrom, findCallPerson, type StoredCall } from '../domain/call.ts';
import type { CallStore } from '../domain/callPorts.ts';
import { fromCallRow, type CallRow, type CallPersonRow } from './callRows.ts';

export const activeStates = ['calling', 'ringing', 'joined'];
export const talkingStates = ['calling', 'joined'];

export async function loadCalls(db: Knex, callIds: readonly CallId[], lock = false): Promise<StoredCall[]> {
  if (callIds.length === 0) return [];
  const rows = (await db('calls')
    .whereIn('id', callIds)
    .orderBy('id')
    .modify((query) => {
      if (lock) query.forUpdate();
    })) as CallRow[];
  const people = (await db('call_people')
    .whereIn('call_id', callIds)
    .orderBy(['created_at', 'user_id'])) as CallPersonRow[];
  return rows.map((row) =>
    fromCallRow(
      row,
      people.filter(({ call_id }) => call_id === row.id),
    ),
  );
}

export function selectCallsOf(db: Knex, userId: UserId, states: readonly string[]) {
  return db('call_people').where({ user_id: userId }).whereIn('state', states).orderBy('call_id');
}

export const listCallIds = async (db: Knex, userId: UserId, states: readonly string[]): Promise<CallId[]> =>
  ((await selectCallsOf(db, userId, states).select('call_id')) as { call_id: CallId }[]).map(({ call_id }) => call_id);

/** Finds calls, and the calls of a person. */
export function createCallLookups(
  db: Knex,
): Pick<CallStore, 'find' | 'current' | 'mayEnterRoom' | 'list' | 'openOf' | 'countOpen'> {
  return {
    find: async (id) => (await loadCalls(db, [id]))[0],

    async current(userId, otherId) {
      const calls = (await loadCalls(db, await listCallIds(db, userId, activeStates))).filter(
        (call) =>
          call.status !== 'ended' &&
          !isCallHiddenFrom(call, userId) &&
          (otherId === undefined || activeStates.includes(findCallPerson(call, otherId)?.state ?? '')),
      );
      const isIn = (call: StoredCall) => talkingStates.includes(findCallPerson(call, userId)?.state ?? '');
      const latest = calls.toSorted((one, other) => other.createdAt.getTime() - one.createdAt.getTime());
      return latest.find(isIn) ?? latest[0];
    },

    async mayEnterRoom(id, userId) {
      const row = await selectCallsOf(db, userId, talkingStates)
        .join('calls', 'calls.id', 'call_people.call_id')
        .where({ 'calls.id': id, mode: 'room' })
        .whereNot('status', 'ended')
        .first('call_people.call_id');
      return row !== undefined;
    },

    async list(userId, { place, limit }) {
      const mine = (await db('call_people')
        .where({ user_id: userId })
        // Excludes what isCallHiddenFrom hides from them, so pages are full.
        .whereRaw(`not (silent and (state = 'ringing' or not starts_with(call_id, ?)))`, [callIdPrefix(userId)])
        .modify((query) => {
          if (!place) return;
          query.whereRaw('(created_at < ? or (created_at = ? and call_id > ?))', [
            place.since,
            place.since,
            place.callId,
          ]);
        })
        .orderBy([{ column: 'created_at', order: 'desc' }, { column: 'call_id' }])
        .limit(limit)) as CallPersonRow[];
      const calls = new Map(
        (
          await loadCalls(
            db,
            mine.map(({ call_id }) => call_id),
          )
        ).map((call) => [call.id, call]),
      );
      return mine.flatMap(({ call_id, created_at }) => {
        const call = calls.get(call_id);
        return call ? [{ call, place: { since: created_at, callId: call_id } }] : [];
      });
    },

    openOf: (userId) => listCallIds(db, userId, activeStates),

    async countOpen() {
      const [row] = (await db('calls').whereNot('status', 'ended').count('* as count')) as { count: number }[];
      return Number(row?.count ?? 0);
    },
  };
}
