import { randomUUID } from 'node:crypto';
import type { Knex } from '@nolo/kit/db';
import { createTestEnvironment, createFakeClock, openDatabase, type TestEnvironment } from '@nolo/testing';
import { createRemoveOldMeetingsTask } from '../src/jobs/createRemoveOldMeetingsTask.ts';
import { createRetentionStore } from '../src/store/retention.ts';

const dayMs = 86_400_000;
let environment: TestEnvironment<'meetings'>;
let db: Knex;
const clock = createFakeClock();
const ago = (days: number) => new Date(clock.now().getTime() - days * dayMs);

beforeAll(async () => {
  environment = await createTestEnvironment(['meetings']);
  db = openDatabase(environment.urls.meetings, 'meetings');
});
afterAll(async () => {
  await db?.destroy();
  await environment?.drop();
});

async function call(days: number, more: object = {}) {
  const [id, caller] = [randomUUID(), randomUUID()];
  const row = { id, conversation_id: randomUUID(), type: 'audio', status: 'ended', mode: 'direct', caller_id: caller };
  await db('calls').insert({ ...row, created_at: ago(days), ended_at: ago(days), ...more });
  await db('call_people').insert({ call_id: id, user_id: caller, state: 'left', created_at: ago(days) });
  return id;
}

async function meeting(days: number, more: object = {}) {
  const [id, host] = [randomUUID(), randomUUID()];
  await db('meetings').insert({
    id,
    last_room_code: 'ABCDEF',
    conversation_id: randomUUID(),
    host_id: host,
    name: 'Weekly',
    max_participants: 10,
    recurrence: 'none',
    status: 'completed',
    allow_recording: true,
    require_auth: true,
    waiting_room: false,
    allow_screen_share: true,
    mute_on_entry: false,
    created_at: ago(days),
    updated_at: ago(days),
    ...more,
  });
  await db('meeting_people').insert({ meeting_id: id, user_id: host, role: 'host' });
  return id;
}

const removal = () =>
  createRemoveOldMeetingsTask({ retention: createRetentionStore(db), callDays: 30, meetingDays: 60, clock }).run();
const there = async (table: string) =>
  new Set(((await db(table).select('id')) as { id: string }[]).map(({ id }) => id));

it('calls and meetings are deleted some time after they end, unlike live and planned ones', async () => {
  await call(31);
  const calls = [
    await call(29),
    await call(31, { status: 'connected', ended_at: null }),
    await call(31, { ended_at: ago(1) }),
    // The entry in its conversation is pending.
    await call(31, { note_at: ago(31) }),
  ];
  await meeting(61);
  await meeting(61, { status: 'cancelled' });
  const meetings = [
    await meeting(59),
    await meeting(61, { status: 'scheduled' }),
    await meeting(61, { status: 'live' }),
    await meeting(61, { group_id: randomUUID() }),
  ];
  await removal();
  expect(await there('calls')).toEqual(new Set(calls));
  expect(await there('meetings')).toEqual(new Set(meetings));
  expect(await db('call_people')).toHaveLength(calls.length);
  expect(await db('meeting_people')).toHaveLength(meetings.length);
});

it('a backlog is deleted in batches, even by several workers at once', async () => {
  const rows = Array.from({ length: 450 }, () => ({
    id: randomUUID(),
    conversation_id: randomUUID(),
    type: 'audio',
    status: 'ended',
    mode: 'direct',
    caller_id: randomUUID(),
    created_at: ago(100),
  }));
  await db('calls').insert(rows);
  await Promise.all([removal(), removal()]);
  const left = await there('calls');
  expect(rows.filter(({ id }) => left.has(id))).toEqual([]);
});

it('is found by an index', async () => {
  await db.raw('analyze calls; analyze meetings');
  const plan = async (sql: string) => {
    const rows = await db.transaction(async (trx) => {
      // The planner reads a few rows faster without an index.
      await trx.raw('set local enable_seqscan = off');
      return ((await trx.raw(`explain ${sql}`)) as { rows: { 'QUERY PLAN': string }[] }).rows;
    });
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  };
  expect(
    await plan(`select id from calls where status = 'ended' and created_at < now() order by created_at limit 200`),
  ).toContain('calls_over');
  expect(
    await plan(`select id from meetings where status in ('completed', 'cancelled') and group_id is null
      and updated_at < now() order by updated_at limit 200`),
  ).toContain('meetings_over');
});
