import { limits } from '@nolo/rules';
import { eventually } from '@nolo/testing';
import {
  testCapabilities,
  participantIdOf,
  meetingsErrorKindAndCode,
  startMeetings,
  type TestMeetings,
} from './startMeetings.ts';

let nolo: TestMeetings;
afterEach(() => nolo.stop());

const withMedia = { rtpCapabilitiesJson: testCapabilities };
const people = (count: number) => Promise.all(Array.from({ length: count }, () => nolo.person()));
const moved = (userId: string) => nolo.framesTo(userId, 'media_moved').length;
const joinMedia = (actorId: string, participantId: string) =>
  nolo.rooms.joinMedia({ actorId, participantId, rtpCapabilitiesJson: testCapabilities });

test('a join without a node gets no media, and leaves nobody in the room', async () => {
  nolo = await startMeetings();
  const [host = ''] = await people(1);
  const meeting = await nolo.meeting(host);
  expect(await meetingsErrorKindAndCode(nolo.meetings.getMediaCapabilities({}))).toBe('unavailable media_unavailable');
  expect(await meetingsErrorKindAndCode(nolo.enter(host, meeting.roomCode, withMedia))).toBe(
    'unavailable media_unavailable',
  );
  await eventually(async () => (await nolo.redis.hlen(`room:${meeting.id}:inside`)) === 0);
  await nolo.startNode();
  expect((await nolo.enter(host, meeting.roomCode, withMedia)).state).toBe('joined');
});

test('a room stays on its node; when that dies, only its people are notified and move to another', async () => {
  nolo = await startMeetings();
  const first = await nolo.startNode();
  const [host = '', ben = '', carol = '', dora = ''] = await people(4);
  const meeting = await nolo.meeting(host);
  const own = participantIdOf(await nolo.enter(host, meeting.roomCode, withMedia));
  const second = await nolo.startNode();
  const other = participantIdOf(await nolo.enter(ben, meeting.roomCode, withMedia));
  expect(first.peers.size).toBe(2);
  // A participant without media has nothing to move, and other rooms are unaffected.
  await nolo.enter(carol, meeting.roomCode);
  const elsewhere = await nolo.meeting(dora);
  const apart = await eventually(async () => {
    const reply = await nolo.enter(dora, elsewhere.roomCode, withMedia);
    if (reply.media?.nodeId === second.nodeId) return reply;
    await nolo.rooms.leave({ actorId: dora, participantId: participantIdOf(reply) });
    return undefined;
  });

  first.fallSilent();
  await eventually(() => moved(host) === 1 && moved(ben) === 1);
  expect([moved(carol), moved(dora)]).toEqual([0, 0]);
  const frame = nolo.framesTo(host, 'media_moved')[0];
  expect(frame).toMatchObject({ scope: own, data: { roomCode: meeting.roomCode, participantId: own } });
  expect(await meetingsErrorKindAndCode(nolo.rooms.getPeerStats({ actorId: host, participantId: own }))).toBe(
    'unavailable media_unavailable',
  );
  expect((await joinMedia(host, own)).nodeId).toBe(second.nodeId);
  expect((await joinMedia(ben, other)).nodeId).toBe(second.nodeId);
  expect(second.peers.get(other)).toMatchObject({ roomId: meeting.id, otherNodes: [] });
  expect(participantIdOf(apart)).toBeTruthy();
});

test('an unresponsive node is left at once, by everyone it carried', async () => {
  nolo = await startMeetings();
  const first = await nolo.startNode();
  const [host = '', ben = ''] = await people(2);
  const meeting = await nolo.meeting(host);
  await nolo.enter(host, meeting.roomCode, withMedia);
  const second = await nolo.startNode();
  await first.kill();
  const entry = await eventually(() => nolo.enter(ben, meeting.roomCode, withMedia));
  expect(entry.media?.nodeId).toBe(second.nodeId);
  await eventually(() => moved(host) === 1);
});

test('a dead node is detected when its connection breaks, long before its silence timeout', async () => {
  nolo = await startMeetings({ variables: { MEDIA_SILENT_MS: '60000' } });
  const first = await nolo.startNode();
  const hosts = await people(5);
  const entries = [];
  for (const host of hosts) {
    const meeting = await nolo.meeting(host);
    entries.push({ host, id: participantIdOf(await nolo.enter(host, meeting.roomCode, withMedia)) });
  }
  const second = await nolo.startNode();
  await first.kill();
  // Detects it within a third of the silence timeout.
  await eventually(() => hosts.every((host) => moved(host) === 1));
  for (const { host, id } of entries) expect((await joinMedia(host, id)).nodeId).toBe(second.nodeId);
  // Notifications are not repeated, and participants on the other node stay.
  expect(hosts.map(moved)).toEqual([1, 1, 1, 1, 1]);
});

test('a draining node loses its rooms one by one and gets no new ones', async () => {
  nolo = await startMeetings();
  const first = await nolo.startNode();
  const hosts = await people(3);
  const entries = [];
  for (const host of hosts) {
    const meeting = await nolo.meeting(host);
    entries.push({ host, id: participantIdOf(await nolo.enter(host, meeting.roomCode, withMedia)) });
  }
  const second = await nolo.startNode();
  first.draining = true;
  await eventually(() => hosts.every((host) => moved(host) === 1));
  for (const { host, id } of entries) expect((await joinMedia(host, id)).nodeId).toBe(second.nodeId);
  const [newcomer = ''] = await people(1);
  const fresh = await nolo.meeting(newcomer);
  expect((await nolo.enter(newcomer, fresh.roomCode, withMedia)).media?.nodeId).toBe(second.nodeId);
});

test('the only node keeps its rooms while draining, and accepts more, until another appears', async () => {
  nolo = await startMeetings();
  const first = await nolo.startNode();
  const [host = '', ben = ''] = await people(2);
  const meeting = await nolo.meeting(host);
  const own = participantIdOf(await nolo.enter(host, meeting.roomCode, withMedia));
  first.draining = true;
  const until = first.beats + 4;
  await eventually(() => first.beats >= until);
  const fresh = await nolo.meeting(ben);
  expect((await nolo.enter(ben, fresh.roomCode, withMedia)).media?.nodeId).toBe(first.nodeId);
  expect((await joinMedia(host, own)).nodeId).toBe(first.nodeId);
  expect([moved(host), moved(ben)]).toEqual([0, 0]);
  const second = await nolo.startNode();
  await eventually(() => moved(host) === 1 && moved(ben) === 1);
  expect((await joinMedia(host, own)).nodeId).toBe(second.nodeId);
});

test('someone removed while their transports are created is left with none', async () => {
  nolo = await startMeetings();
  const node = await nolo.startNode();
  const [host = '', ben = ''] = await people(2);
  const meeting = await nolo.meeting(host);
  await nolo.enter(host, meeting.roomCode, withMedia);
  let answer = () => {};
  node.gate = new Promise((resolve) => (answer = resolve));
  const entering = meetingsErrorKindAndCode(nolo.enter(ben, meeting.roomCode, withMedia));
  await eventually(() => node.requests.filter(({ method }) => method === 'join').length === 2);
  await nolo.rooms.moderate({ actorId: host, roomCode: meeting.roomCode, action: 'remove', userId: ben });
  answer();
  expect(await entering).toBe('not_found participant_unknown');
  expect([...node.peers.values()].map(({ userId }) => userId)).toEqual([host]);
  expect(await meetingsErrorKindAndCode(nolo.enter(ben, meeting.roomCode, withMedia))).toBe('forbidden removed');
});

test("the client's DTLS parameters are passed to the node on join, and again with new transports", async () => {
  nolo = await startMeetings();
  const node = await nolo.startNode();
  const [host = ''] = await people(1);
  const meeting = await nolo.meeting(host);
  const dtlsParametersJson = '{"fingerprints":[]}';
  const entry = await nolo.enter(host, meeting.roomCode, { ...withMedia, dtlsParametersJson });
  expect(entry.media?.connected).toBe(true);
  expect(node.peers.get(participantIdOf(entry))).toMatchObject({ dtlsParametersJson });
  const retryRequest = { actorId: host, participantId: participantIdOf(entry), rtpCapabilitiesJson: testCapabilities };
  expect((await nolo.rooms.joinMedia({ ...retryRequest, dtlsParametersJson })).connected).toBe(true);
  expect((await nolo.rooms.joinMedia(retryRequest)).connected).toBe(false);
});

test('a node that refuses newcomers because it drains is also left by those it carries', async () => {
  nolo = await startMeetings();
  const first = await nolo.startNode();
  const [host = '', ben = ''] = await people(2);
  const meeting = await nolo.meeting(host);
  await nolo.enter(host, meeting.roomCode, withMedia);
  first.refusing = true;
  await nolo.startNode();
  expect((await nolo.enter(ben, meeting.roomCode, withMedia)).media?.nodeId).not.toBe(first.nodeId);
  await eventually(() => moved(host) === 1);
});

test('a room that outgrows a node is carried by two, which know each other', async () => {
  nolo = await startMeetings({ variables: { ROOM_NODE_PEERS: '1' } });
  const nodes = [await nolo.startNode(), await nolo.startNode()];
  const [host = '', ben = '', carol = ''] = await people(3);
  const meeting = await nolo.meeting(host);
  const on = async (who: string) => (await nolo.enter(who, meeting.roomCode, withMedia)).media?.nodeId;
  const first = await on(host);
  const second = await eventually(async () => {
    const nodeId = await on(ben);
    return nodeId !== first && nodeId;
  });
  expect(new Set([first, second])).toEqual(new Set(nodes.map(({ nodeId }) => nodeId)));
  const late = nodes.find(({ nodeId }) => nodeId === second);
  expect([...(late?.peers.values() ?? [])][0]?.otherNodes).toHaveLength(1);
  // The third node is missing, so the least busy one takes one more.
  expect([first, second]).toContain(await on(carol));
});

test("a plan's time limit warns, and ends a meeting only with three or more people", async () => {
  nolo = await startMeetings({ allowance: { participants: 4, minutes: 40 } });
  const [host = '', ben = '', carol = ''] = await people(3);
  const [meeting, small] = [await nolo.meeting(host), await nolo.meeting(ben)];
  expect(meeting.maxParticipants).toBe(4);
  const ids: { who: string; id: string }[] = [];
  const enter = async (who: string, code: string) => {
    const reply = await nolo.enter(who, code);
    ids.push({ who, id: participantIdOf(reply) });
    return reply;
  };
  let renewal: Promise<unknown> = Promise.resolve();
  const renewing = setInterval(() => {
    const participantIds = ids.map(({ id }) => id);
    const request = { gatewayId: 'gateway-under-test', participantIds, lostParticipantIds: [] };
    renewal = nolo.rooms.renewParticipants(request);
  }, 1_000);
  try {
    const startedAt = nolo.clock.now();
    await enter(host, meeting.roomCode);
    await enter(ben, meeting.roomCode);
    // Two tabs of one person count as one person.
    expect((await enter(ben, meeting.roomCode)).meeting?.endsAt).toBeUndefined();
    const endsAt = new Date(startedAt.getTime() + 40 * 60_000);
    expect((await enter(carol, meeting.roomCode)).meeting?.endsAt).toEqual(endsAt);
    for (const who of [host, ben]) await enter(who, small.roomCode);
    nolo.clock.advance((40 - limits.meetingWarningMinutes) * 60_000);
    const warning = await eventually(() => nolo.framesTo(carol, 'meeting_time_warning')[0]);
    expect(warning.data).toEqual({ roomCode: meeting.roomCode, endsAt: endsAt.toISOString(), planMinutes: 40 });
    nolo.clock.advance(limits.meetingWarningMinutes * 60_000);
    const ended = await eventually(() => nolo.framesTo(host, 'meeting_ended')[0]);
    expect(ended.data).toEqual({ roomCode: meeting.roomCode, reason: 'time_limit' });
    expect(nolo.framesTo(host, 'meeting_time_warning')).toHaveLength(1);
    const meetingRequest = { actorId: host, roomCode: small.roomCode, address: '' };
    expect((await nolo.meetings.getMeeting(meetingRequest)).status).toBe('live');
  } finally {
    clearInterval(renewing);
    // A call that outlives the services would fail after the test.
    await renewal;
  }
});

test('two people who remain can continue when the time is up', async () => {
  nolo = await startMeetings({ allowance: { participants: 4, minutes: 40 } });
  const [host = '', ben = '', carol = ''] = await people(3);
  const meeting = await nolo.meeting(host);
  await nolo.enter(host, meeting.roomCode);
  await nolo.enter(ben, meeting.roomCode);
  const third = await nolo.enter(carol, meeting.roomCode);
  expect(third.meeting?.endsAt).toBeDefined();
  await nolo.rooms.leave({ actorId: carol, participantId: participantIdOf(third) });
  nolo.clock.advance(41 * 60_000);
  const frame = await eventually(() => nolo.framesTo(ben, 'meeting_changed')[0]);
  expect(frame.data).toMatchObject({ meeting: { status: 'live', endsAt: null } });
});
