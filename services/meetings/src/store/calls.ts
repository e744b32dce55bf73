import { inTransaction, type Knex } from '@nolo/kit/db';
import { deliverySubject } from '@nolo/kit/delivery';
import { appendEvents } from '@nolo/kit/events';
import type { CallId, UserId } from '@nolo/kit/ids';
import { enqueue } from '@nolo/kit/outbox';
import {
  answerCallState,
  beginCallState,
  createCallId,
  isCallHiddenFrom,
  findCallPerson,
  stopRingingState,
  type StoredCall,
  type CallPerson,
  type NewCall,
} from '../domain/call.ts';
import { createCallFrames } from '../domain/callFrames.ts';
import { createRingEvents } from '../domain/createRingEvents.ts';
import type { CallChange, CallStore } from '../domain/callPorts.ts';
import { callBusy } from '../errors.ts';
import { toCallColumns, toCallPersonColumns } from './callRows.ts';
import {
  activeStates,
  selectCallsOf,
  createCallLookups,
  listCallIds,
  loadCalls,
  talkingStates,
} from './callLookups.ts';
import { createCallDeadlineStore } from './callDeadlines.ts';

/** Maximum attempts. Two calls to one person in the same millisecond are rare; this many indicate a bug. */
const maxIdAttempts = 1_000;

/**
 * Locks people in a fixed order. The order everywhere is people by ID, then calls by ID. A person is locked if the
 * number of their calls matters; every step locks its call's row.
 */
async function lockPeople(trx: Knex, userIds: readonly UserId[]): Promise<void> {
  for (const userId of [...new Set(userIds)].sort()) {
    await trx.raw(`select pg_advisory_xact_lock(hashtextextended(?, 0))`, [`call:${userId}`]);
  }
}

async function lockCall(trx: Knex, id: CallId): Promise<StoredCall | undefined> {
  return (await loadCalls(trx, [id], true))[0];
}

async function savePeople(trx: Knex, id: CallId, people: readonly CallPerson[]): Promise<void> {
  if (people.length === 0) return;
  await trx('call_people')
    .insert(people.map((one) => toCallPersonColumns(id, one)))
    .onConflict(['call_id', 'user_id'])
    .merge(['device_id', 'state', 'created_at', 'silent']);
}

async function publishCallChange(trx: Knex, before: StoredCall | undefined, after: StoredCall): Promise<void> {
  await enqueue(trx, ...createCallFrames(before, after).map((payload) => ({ subject: deliverySubject, payload })));
  await appendEvents(trx, ...createRingEvents(before, after));
}

/** Stores the result of a step on a locked call, and its events. */
async function save(trx: Knex, before: StoredCall, step: StoredCall): Promise<CallChange> {
  if (step === before) return { before, after: step };
  const rows = (await trx('calls').where({ id: step.id }).update(toCallColumns(step)).returning('version')) as {
    version: number;
  }[];
  const after = { ...step, version: rows[0]?.version ?? step.version };
  await savePeople(
    trx,
    after.id,
    after.people.filter((one) => !before.people.includes(one)),
  );
  await publishCallChange(trx, before, after);
  return { before, after };
}

async function insert(trx: Knex, newCall: NewCall, busy: boolean, now: Date): Promise<CallChange> {
  for (let tries = 0; tries < maxIdAttempts; tries += 1) {
    const call = beginCallState(createCallId(newCall.calleeId, now.getTime() + tries), newCall, busy, now);
    const stored = await trx('calls').insert(toCallColumns(call)).onConflict('id').ignore().returning('id');
    if (stored.length === 0) continue;
    await savePeople(trx, call.id, call.people);
    await publishCallChange(trx, undefined, call);
    return { before: undefined, after: call };
  }
  throw new Error('No free id was found for a call.');
}

/** Answers a call. The caller holds the person's lock. */
async function answerIn(trx: Knex, id: CallId, userId: UserId, deviceId: string, now: Date): Promise<CallChange[]> {
  const calls = await loadCalls(trx, [...new Set([id, ...(await listCallIds(trx, userId, activeStates))])], true);
  const call = calls.find((one) => one.id === id);
  if (!call || !findCallPerson(call, userId)) return [];
  const others = calls.filter((one) => one !== call);
  const answered = answerCallState(call, userId, deviceId, now);
  if (answered !== call && others.some((one) => talkingStates.includes(findCallPerson(one, userId)?.state ?? '')))
    throw callBusy();
  const changes = [await save(trx, call, answered)];
  if (answered === call) return changes;
  for (const other of others.filter((one) => !isCallHiddenFrom(one, userId)))
    changes.push(await save(trx, other, stopRingingState(other, userId, 'busy', now)));
  return changes;
}

export function createCallStore(db: Knex): CallStore {
  return {
    ...createCallLookups(db),
    ...createCallDeadlineStore(db),

    change: (id, step) =>
      inTransaction(db, async (trx) => {
        const call = await lockCall(trx, id);
        return call && save(trx, call, step(call));
      }),

    begin: (newCall, now) =>
      inTransaction(db, async (trx) => {
        const { callerId, calleeId, deviceId } = newCall;
        await lockPeople(trx, [callerId, calleeId]);
        const crossing = (await selectCallsOf(trx, callerId, ['ringing'])
          .join('calls', 'calls.id', 'call_people.call_id')
          .where({ caller_id: calleeId, status: 'ringing' })
          .first('call_people.call_id')) as { call_id: CallId } | undefined;
        if (crossing) return answerIn(trx, crossing.call_id, callerId, deviceId, now);
        for (const own of await loadCalls(trx, await listCallIds(trx, callerId, talkingStates))) {
          const isRepeat =
            own.status === 'ringing' &&
            own.callerId === callerId &&
            findCallPerson(own, calleeId) !== undefined &&
            findCallPerson(own, callerId)?.deviceId === deviceId;
          // Pressed twice, or repeated after a lost response.
          if (isRepeat) return [{ before: own, after: own }];
          throw callBusy();
        }
        // People who may not call the callee must not learn that they are busy.
        const busy = !newCall.silent && (await listCallIds(trx, calleeId, talkingStates)).length > 0;
        return [await insert(trx, newCall, busy, now)];
      }),

    answer: (id, userId, deviceId, now) =>
      inTransaction(db, async (trx) => {
        await lockPeople(trx, [userId]);
        return answerIn(trx, id, userId, deviceId, now);
      }),

    changeFor: (id, userId, step) =>
      inTransaction(db, async (trx) => {
        await lockPeople(trx, [userId]);
        const call = await lockCall(trx, id);
        if (!call) return undefined;
        const busy = (await listCallIds(trx, userId, talkingStates)).some((one) => one !== id);
        return save(trx, call, step(call, busy));
      }),

    forget: (userId) =>
      inTransaction(db, async (trx) => {
        await trx('call_preferences').where({ user_id: userId }).delete();
        const rows = (await trx('call_people')
          .where({ user_id: userId })
          .whereNotIn('state', activeStates)
          .delete()
          .returning('call_id')) as { call_id: CallId }[];
        // Deletes calls that no account remembers.
        await trx('calls')
          .whereIn(
            'id',
            rows.map(({ call_id }) => call_id),
          )
          .whereNotExists(trx('call_people').whereRaw('call_people.call_id = calls.id').select(trx.raw('1')))
          .delete();
      }),

    async anyRelays(userIds) {
      const row = await db('call_preferences')
        .whereIn('user_id', userIds)
        .where({ relay_calls: true })
        .first('user_id');
      return row !== undefined;
    },

    async setRelays(userId, relays) {
      await db('call_preferences').insert({ user_id: userId, relay_calls: relays }).onConflict('user_id').merge();
    },
  };
}
