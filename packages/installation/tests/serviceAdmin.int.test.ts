import { randomUUID } from 'node:crypto';
import { systemClock } from '@nolo/kit/clock';
import { createDb, type Knex } from '@nolo/kit/db';
import { createAppError } from '@nolo/kit/errors';
import { createEventCursorTables } from '@nolo/kit/events';
import { createJobsTable } from '@nolo/kit/jobs';
import { createOutboxTable, addOutboxTraceparent, makeOutboxQueue } from '@nolo/kit/outbox';
import { createServiceAdminHandlers } from '@nolo/installation/serviceAdmin';
import { createTestDatabase, type TestDatabase } from '@nolo/testing';

let database: TestDatabase<'chat'>;
let db: Knex;
beforeAll(async () => {
  database = await createTestDatabase(['chat']);
  db = createDb({ url: database.urls.chat, schema: 'chat' });
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

const operator = { actorId: 'opal', sessionId: 'her-session' };
const woken: string[] = [];
const bus = { publish: (subject: string) => void woken.push(subject) };
const createTestServiceAdmin = () =>
  createServiceAdminHandlers({ config: {}, clock: systemClock, db, bus }, async ({ actorId }) => {
    if (actorId !== operator.actorId) throw createAppError('forbidden', 'not_operator', 'Only operators may do this.');
  });

test('a service without queues has no work, whatever kind is requested', async () => {
  const serviceAdmin = createTestServiceAdmin();
  expect(await serviceAdmin.countWork(operator)).toEqual({ queues: [] });
  for (const kind of ['job', 'event', 'message', 'rumour', 'constructor']) {
    const setAsideRequest = { ...operator, kind, queue: 'posts' };
    expect((await serviceAdmin.listSetAside(setAsideRequest)).items).toEqual([]);
    for (const operation of [serviceAdmin.retrySetAside, serviceAdmin.discardSetAside]) {
      await expect(operation({ ...setAsideRequest, id: randomUUID() })).rejects.toMatchObject({
        code: 'work_not_found',
      });
    }
  }
});

describe('a service with queues', () => {
  const ids = Array.from({ length: 3 }, () => randomUUID()).toSorted();
  const [job = '', otherJob = '', waiting = ''] = ids;
  const event = randomUUID();
  const message = randomUUID();
  const content = 'Nobody is to read this.';
  beforeAll(async () => {
    await createJobsTable(db);
    await createEventCursorTables(db);
    await createOutboxTable(db);
    await addOutboxTraceparent(db);
    await makeOutboxQueue(db);
    const row = { queue: 'posts', payload: JSON.stringify({ content }), due_at: new Date(0) };
    await db('jobs').insert([
      { ...row, id: job, state: 'parked', attempts: 5, failure: 'token_expired' },
      { ...row, id: otherJob, state: 'parked', attempts: 1, failure: 'interrupted' },
      { ...row, id: waiting, due_at: new Date(Date.now() + 3_600_000) },
    ]);
    const eventRow = {
      source: 'identity',
      position: 1,
      subject: 's',
      key: 'k',
      payload: row.payload,
      created_at: new Date(0),
    };
    await db('parked_events').insert([
      { ...eventRow, id: event, error: content, attempts: 3, next_try_at: new Date(Date.now() + 3_600_000) },
      { ...eventRow, id: randomUUID(), position: 2 },
    ]);
    await db('outbox_parked').insert({
      id: message,
      subject: 'deliver',
      payload: row.payload,
      attempts: 6,
      error: content,
      created_at: new Date(0),
    });
  });

  test('shows operators how much work there is and what is quarantined, but never its content', async () => {
    const serviceAdmin = createTestServiceAdmin();
    expect((await serviceAdmin.countWork(operator)).queues).toEqual([
      { kind: 'job', queue: 'posts', waiting: 1, late: 0, active: 0, setAside: 2 },
      { kind: 'event', queue: 'identity', waiting: 1, late: 0, active: 0, setAside: 1 },
      { kind: 'message', queue: 'outbox', waiting: 0, late: 0, active: 0, setAside: 1 },
    ]);
    const jobs = { ...operator, kind: 'job', queue: 'posts', limit: 1 };
    const first = await serviceAdmin.listSetAside(jobs);
    expect(first.items).toEqual([{ id: job, attempts: 5, failure: 'token_expired', at: new Date(0) }]);
    const second = await serviceAdmin.listSetAside({ ...jobs, cursor: first.nextCursor });
    expect([second.items.map(({ id }) => id), second.nextCursor]).toEqual([[otherJob], undefined]);
    const events = await serviceAdmin.listSetAside({ ...operator, kind: 'event', queue: 'identity' });
    expect(events.items).toEqual([{ id: event, attempts: 3, failure: undefined, at: new Date(0) }]);
    const messages = await serviceAdmin.listSetAside({ ...operator, kind: 'message', queue: 'outbox' });
    expect(messages.items).toEqual([{ id: message, attempts: 6, failure: undefined, at: new Date(0) }]);
    expect(JSON.stringify([first, events, messages])).not.toContain(content);
  });

  test('shows everyone else nothing, and lets them retry nothing', async () => {
    const serviceAdmin = createTestServiceAdmin();
    for (const caller of [{}, { actorId: 'ada', sessionId: operator.sessionId }]) {
      const setAsideRequest = { ...caller, kind: 'job', queue: 'posts', id: job };
      const [retried, discarded] = [
        serviceAdmin.retrySetAside(setAsideRequest),
        serviceAdmin.discardSetAside(setAsideRequest),
      ];
      for (const attempt of [
        serviceAdmin.countWork(caller),
        serviceAdmin.listSetAside(setAsideRequest),
        retried,
        discarded,
      ]) {
        await expect(attempt).rejects.toMatchObject({ kind: 'forbidden', code: 'not_operator' });
      }
    }
    expect(await db('jobs').where({ state: 'parked' }).pluck('id')).toHaveLength(2);
  });

  test('lets an operator retry each kind, once', async () => {
    const serviceAdmin = createTestServiceAdmin();
    for (const [kind, queue, id] of [
      ['job', 'posts', job],
      ['event', 'identity', event],
      ['message', 'outbox', message],
    ] as const) {
      await serviceAdmin.retrySetAside({ ...operator, kind, queue, id });
    }
    expect(await db('jobs').where({ id: job }).first()).toMatchObject({ state: 'waiting', attempts: 0 });
    const { next_try_at: next } = (await db('parked_events').where({ id: event }).first()) as { next_try_at: Date };
    expect(next.getTime()).toBeLessThan(Date.now() + 60_000);
    // Readers of the log need not wait for their next poll.
    expect(woken).toEqual(['wake.events.identity']);
    expect(await db('outbox').first()).toMatchObject({
      id: message,
      subject: 'deliver',
      payload: { content },
      attempts: 0,
    });
    expect(await db('outbox_parked').first()).toBeUndefined();
    for (const [kind, queue, id] of [
      ['job', 'posts', job],
      ['message', 'outbox', message],
    ] as const) {
      const retry = serviceAdmin.retrySetAside({ ...operator, kind, queue, id });
      await expect(retry).rejects.toMatchObject({ kind: 'not_found', code: 'work_not_found' });
    }
  });

  test('lets an operator discard each kind permanently, and what waited behind an event continues', async () => {
    const serviceAdmin = createTestServiceAdmin();
    const [once, retry, failed, behind, lost] = Array.from({ length: 5 }, () => randomUUID());
    const row = { queue: 'mails', payload: '{}', state: 'parked', attempts: 5, failure: 'timeout' };
    await db('jobs').insert([
      { ...row, id: once, due_at: new Date(0) },
      { ...row, id: retry, due_at: new Date(0), every_ms: 3_600_000 },
    ]);
    const eventRow = { source: 'billing', subject: 's', key: 'k', payload: '{}', created_at: new Date(0) };
    const later = new Date(Date.now() + 3_600_000);
    await db('parked_events').insert([
      { ...eventRow, id: failed, position: 1, error: 'x', attempts: 9, next_try_at: later },
      { ...eventRow, id: behind, position: 2 },
    ]);
    const message = { id: lost, subject: 'deliver', payload: '{}', attempts: 6, error: 'x', created_at: new Date(0) };
    await db('outbox_parked').insert(message);
    woken.length = 0;
    for (const [kind, queue, id] of [
      ['job', 'mails', once],
      ['job', 'mails', retry],
      ['event', 'billing', failed],
      ['message', 'outbox', lost],
    ] as const) {
      const work = { ...operator, kind, queue, id };
      await serviceAdmin.discardSetAside(work);
      await expect(serviceAdmin.discardSetAside(work)).rejects.toMatchObject({ code: 'work_not_found' });
    }
    // A repeating job is not due before its next time.
    const left = (await db('jobs').where({ queue: 'mails' })) as { due_at: Date }[];
    expect(left).toMatchObject([{ id: retry, state: 'waiting', attempts: 0, failure: null }]);
    expect(left[0]?.due_at.getTime()).toBeGreaterThan(Date.now() + 3_000_000);
    const events = (await db('parked_events').where({ source: 'billing' })) as { next_try_at: Date }[];
    expect(events).toMatchObject([{ id: behind }]);
    expect(events[0]?.next_try_at.getTime()).toBeLessThan(Date.now() + 60_000);
    expect(woken).toEqual(['wake.events.billing']);
    expect(await db('outbox_parked')).toEqual([]);
    // Work that waits behind other work was never tried, so it cannot be discarded.
    const waiting = { ...operator, kind: 'event', queue: 'billing', id: behind };
    await expect(serviceAdmin.discardSetAside(waiting)).rejects.toMatchObject({ code: 'work_not_found' });
  });
});
