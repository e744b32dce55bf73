import { randomUUID } from 'node:crypto';
import type { Meeting } from '@nolo/proto/meetings';
import { eventually } from '@nolo/testing';
import type { FakeNode } from './fakeServices.ts';
import {
  testCapabilities,
  participantIdOf,
  meetingsErrorKindAndCode,
  startMeetings,
  type TestMeetings,
} from './startMeetings.ts';

let nolo: TestMeetings;
let node: FakeNode;
let host = '';
let ben = '';
beforeEach(async () => {
  nolo = await startMeetings();
  node = await nolo.startNode();
  [host, ben] = await Promise.all([nolo.person(), nolo.person()]);
});
afterEach(() => nolo.stop());

const dtlsParametersJson = '{"fingerprints":[]}';
const reserve = (actorId: string, { roomCode }: Meeting, more: object = {}) =>
  nolo.rooms.reserve({ actorId, roomCode, address: '', dtlsParametersJson, ...more });
const comeIn = (actorId: string, { roomCode }: Meeting, more: object = {}) =>
  nolo.enter(actorId, roomCode, { rtpCapabilitiesJson: testCapabilities, dtlsParametersJson, ...more });
const requestsFor = (method: string, of = node) =>
  of.requests.filter((one) => one.method === method).map(({ request }) => request);
const moderate = ({ roomCode }: Meeting, action: string, userId: string) =>
  nolo.rooms.moderate({ actorId: host, roomCode, action, userId });

test('someone who can join directly gets transports prepared, invisibly, under their later id', async () => {
  const meeting = await nolo.meeting(host);
  await comeIn(host, meeting);
  const attemptId = randomUUID();
  const { media, goodForMs } = await reserve(ben, meeting, { attemptId, rtpCapabilitiesJson: testCapabilities });
  expect([media?.connected, media?.nodeId, goodForMs]).toEqual([true, node.nodeId, 60_000]);
  expect(JSON.parse(media?.consumersJson ?? '')).toEqual([{ id: 'made ahead' }]);
  const client = { dtlsParametersJson, rtpCapabilitiesJson: testCapabilities };
  expect(requestsFor('reserve')).toMatchObject([{ roomId: meeting.id, userId: ben, ...client }]);
  expect(await nolo.redis.hlen(`room:${meeting.id}:inside`)).toBe(1);
  expect(nolo.framesTo(host, 'meeting_participant_joined')).toEqual([]);

  const readyConsumerIds = ['made ahead'];
  const entry = await comeIn(ben, meeting, { attemptId, preparedNodeId: media?.nodeId, readyConsumerIds });
  expect(participantIdOf(entry)).toBe(requestsFor('reserve')[0]?.['participantId']);
  expect(requestsFor('join').map(({ takesPrepared }) => takesPrepared)).toEqual([false, true]);
  expect(requestsFor('join')[1]).toMatchObject({ readyConsumerIds });
  // A second join has no prepared transports.
  await comeIn(ben, meeting, { attemptId, readyConsumerIds });
  const retryRequest = { participantId: participantIdOf(entry), takesPrepared: false, readyConsumerIds: [] };
  expect(requestsFor('join')[2]).toMatchObject(retryRequest);
});

test('someone on the pre-join page does not start an empty meeting', async () => {
  const meeting = await nolo.meeting(host);
  expect((await reserve(host, meeting)).media).toBeDefined();
  const { meetings } = await nolo.meetings.listMeetings({ actorId: host, filter: 'live', limit: 9 });
  expect([meetings, await nolo.redis.zcard('participants')]).toEqual([[], 0]);
});

test('someone who would have to wait or find no room gets nothing prepared', async () => {
  const behindLobby = await nolo.meeting(host, { waitingRoom: true });
  expect(await reserve(ben, behindLobby)).toEqual({ media: undefined, goodForMs: 0 });
  const full = await nolo.meeting(host, {}, { maxParticipants: 2 });
  await comeIn(await nolo.person(), full);
  // The last slot is reserved for the host.
  expect((await reserve(ben, full)).media).toBeUndefined();
  expect((await reserve(host, full)).media).toBeDefined();
  const open = await nolo.meeting(host);
  for (const _ of [1, 2, 3]) await comeIn(ben, open);
  expect((await reserve(ben, open)).media).toBeUndefined();
  expect(requestsFor('reserve')).toHaveLength(1);
});

test('anyone Enter refuses is refused here, and prepared transports do not bypass a later refusal', async () => {
  const meeting = await nolo.meeting(host);
  await comeIn(host, meeting);
  expect(await meetingsErrorKindAndCode(reserve(ben, { ...meeting, roomCode: 'ZZZZZZ' }))).toBe(
    'not_found meeting_not_found',
  );

  const attemptId = randomUUID();
  const { media } = await reserve(ben, meeting, { attemptId });
  await comeIn(ben, meeting);
  await moderate(meeting, 'remove', ben);
  const joins = requestsFor('join').length;
  expect(await meetingsErrorKindAndCode(comeIn(ben, meeting, { attemptId, preparedNodeId: media?.nodeId }))).toBe(
    'forbidden removed',
  );
  expect(await meetingsErrorKindAndCode(reserve(ben, meeting))).toBe('forbidden removed');
  expect(requestsFor('join')).toHaveLength(joins);

  const carol = await nolo.person();
  const hers = { attemptId: randomUUID() };
  const kept = await reserve(carol, meeting, hers);
  await nolo.meetings.updateMeeting({ actorId: host, roomCode: meeting.roomCode, address: '', locked: true } as never);
  expect(await meetingsErrorKindAndCode(comeIn(carol, meeting, { ...hers, preparedNodeId: kept.media?.nodeId }))).toBe(
    'forbidden meeting_locked',
  );
});

test('a node that drains or dies meanwhile is not used, and without one nothing is prepared', async () => {
  const meeting = await nolo.meeting(host);
  const attemptId = randomUUID();
  const { media } = await reserve(host, meeting, { attemptId });
  const second = await nolo.startNode();
  node.draining = true;
  await eventually(async () => (await nolo.redis.llen(`room:${meeting.id}:nodes`)) === 0);
  const entry = await comeIn(host, meeting, { attemptId, preparedNodeId: media?.nodeId });
  expect(entry.media?.nodeId).toBe(second.nodeId);
  expect(requestsFor('join', second)).toMatchObject([{ takesPrepared: false }]);

  second.refusing = true;
  node.refusing = true;
  expect(await reserve(ben, await nolo.meeting(ben))).toEqual({ media: undefined, goodForMs: 0 });
});
