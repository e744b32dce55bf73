import { randomUUID } from 'node:crypto';
import type { Meeting } from '@nolo/proto/meetings';
import { limits, rateLimits } from '@nolo/rules';
import { eventually, followEvents } from '@nolo/testing';
import { aCreateMeetingRequest, aSetStateRequest } from '@nolo/testing/protos';
import type { FakeNode } from './fakeServices.ts';
import {
  testCapabilities,
  gatewayId,
  participantIdOf,
  meetingsErrorKindAndCode,
  startMeetings,
  type TestMeetings,
} from './startMeetings.ts';

let nolo: TestMeetings;
let node: FakeNode;
let [host, ben, carol] = ['', '', ''];

beforeAll(async () => {
  nolo = await startMeetings();
  node = await nolo.startNode();
});
afterAll(() => nolo.stop());
beforeEach(async () => {
  [host, ben, carol] = [await nolo.person(), await nolo.person(), await nolo.person()];
  nolo.frames.length = 0;
  nolo.chat.joined.length = 0;
  node.requests.length = 0;
});

const withMedia = { rtpCapabilitiesJson: testCapabilities };
const renew = (participantIds: string[], lostParticipantIds: string[] = []) =>
  nolo.rooms.renewParticipants({ gatewayId, participantIds, lostParticipantIds });
const moderate = (actorId: string, { roomCode }: Meeting, action: string, participantId = '') =>
  nolo.rooms.moderate({ actorId, roomCode, participantId, userId: '', action });
const setState = (actorId: string, participantId: string, more: object) =>
  nolo.rooms.setState(aSetStateRequest({ actorId, participantId, ...more }));
const requestsOf = (method: string) =>
  node.requests.filter((one) => one.method === method).map(({ request }) => request);
const inside = async (meeting: Meeting, who = host) => {
  const reply = await nolo.enter(who, meeting.roomCode);
  await nolo.rooms.leave({ actorId: who, participantId: participantIdOf(reply) });
  return reply.participants;
};

describe('joining and leaving', () => {
  test('one response contains everything, and the others are notified', async () => {
    const meeting = await nolo.meeting(host);
    const first = await nolo.enter(host, meeting.roomCode, { ...withMedia, muted: true, profileImageUrl: '/p.png' });
    expect(first).toMatchObject({
      state: 'joined',
      roomId: meeting.id,
      participant: { userId: host, role: 'host', isMuted: true, hasVideo: false, profileImageUrl: '/p.png' },
      participants: [],
      meeting: { status: 'live', startedAt: nolo.clock.now(), conversationId: meeting.conversationId },
      media: { nodeId: node.nodeId, consumersJson: '[]' },
    });
    const second = await nolo.enter(ben, meeting.roomCode, { video: true });
    expect(second.media).toBeUndefined();
    expect(second.participants).toEqual([first.participant]);
    const frame = await eventually(() => nolo.framesTo(host, 'meeting_participant_joined')[0]);
    expect(frame).toMatchObject({
      scope: `meeting:${meeting.id}`,
      data: { roomCode: meeting.roomCode, participant: { userId: ben, role: 'participant', hasVideo: true } },
    });
    expect(nolo.framesTo(ben, 'meeting_participant_joined')).toEqual([]);
    // Joining does not wait for these records.
    await eventually(() => nolo.chat.joined.length === 2);
    expect(nolo.chat.joined).toEqual([
      { conversationId: meeting.conversationId, userId: host, role: 'owner' },
      { conversationId: meeting.conversationId, userId: ben, role: 'member' },
    ]);

    await nolo.rooms.leave({ actorId: ben, participantId: participantIdOf(second) });
    const left = await eventually(() => nolo.framesTo(host, 'meeting_participant_left')[0]);
    expect(left.data).toEqual({
      roomCode: meeting.roomCode,
      participantId: participantIdOf(second),
      reason: 'left',
      version: expect.any(Number),
    });
    await nolo.rooms.leave({ actorId: host, participantId: participantIdOf(first) });
    expect(requestsOf('leave')).toEqual([{ roomId: meeting.id, participantId: participantIdOf(first) }]);
    expect(requestsOf('closeRoom')).toEqual([{ roomId: meeting.id }]);
    const { meetings } = await nolo.meetings.listMeetings({ actorId: host, filter: 'past', limit: 1 });
    expect(meetings).toMatchObject([{ id: meeting.id, status: 'completed' }]);
    // The last participant may merely have lost their connection.
    expect((await nolo.enter(ben, meeting.roomCode)).meeting?.status).toBe('live');
  });

  test('each state of a participant has a higher version, including the one for having left', async () => {
    const meeting = await nolo.meeting(host);
    const first = await nolo.enter(host, meeting.roomCode);
    const second = await nolo.enter(ben, meeting.roomCode);
    const participantId = participantIdOf(second);
    await setState(ben, participantId, { video: true });
    await nolo.rooms.leave({ actorId: ben, participantId });
    const left = await eventually(() => nolo.framesTo(host, 'meeting_participant_left')[0]);
    const versionsOf = (type: string) =>
      nolo.framesTo(host, type).map(({ data }) => (data['participant'] as { version: number }).version);
    const versions = [
      first.version ?? 0,
      ...versionsOf('meeting_participant_joined'),
      ...versionsOf('meeting_participant_changed'),
      Number(left.data['version']),
    ];
    expect(versions).toHaveLength(4);
    expect(versions.toSorted((a, b) => a - b)).toEqual(versions);
    expect(new Set(versions).size).toBe(4);
    expect(second.version).toBe(versions[1]);
    const secondEntry = await nolo.enter(ben, meeting.roomCode);
    expect(secondEntry.participant?.version).toBeGreaterThan(Number(left.data['version']));
    expect(secondEntry.participants).toEqual([first.participant]);
  });

  test('a change made while its participant leaves is not announced afterwards', async () => {
    const meeting = await nolo.meeting(host);
    await nolo.enter(host, meeting.roomCode);
    const participantId = participantIdOf(await nolo.enter(ben, meeting.roomCode, withMedia));
    node.whilePausing = async () => {
      await nolo.rooms.leave({ actorId: ben, participantId });
    };
    await setState(ben, participantId, { video: true });
    await eventually(() => nolo.framesTo(host, 'meeting_participant_left')[0]);
    node.whilePausing = undefined;
    const ofBen = nolo.frames.map(({ frame }) => frame.type).filter((type) => type.startsWith('meeting_participant'));
    expect(ofBen.at(-1)).toBe('meeting_participant_left');
    expect(nolo.framesTo(host, 'meeting_participant_changed')).toEqual([]);
  });

  test('the longest-present person hosts after the host has left, until the host returns', async () => {
    const meeting = await nolo.meeting(host);
    const muteAll = (who: string) => meetingsErrorKindAndCode(moderate(who, meeting, 'mute'));
    const own = participantIdOf(await nolo.enter(host, meeting.roomCode));
    const bens = participantIdOf(await nolo.enter(ben, meeting.roomCode));
    await nolo.enter(carol, meeting.roomCode);
    expect(await muteAll(ben)).toBe('forbidden not_host');
    await nolo.rooms.leave({ actorId: host, participantId: own });
    const promoted = await eventually(() => nolo.framesTo(carol, 'meeting_participant_changed')[0]);
    expect(promoted.data['participant']).toMatchObject({ userId: ben, role: 'co_host' });
    expect([await muteAll(ben), await muteAll(carol)]).toEqual(['none', 'forbidden not_host']);
    // The next person hosts in turn once that one leaves too.
    await nolo.rooms.leave({ actorId: ben, participantId: bens });
    await eventually(async () => (await muteAll(carol)) === 'none');
    expect(await muteAll(ben)).toBe('forbidden not_host');

    expect((await nolo.enter(host, meeting.roomCode)).participant?.role).toBe('host');
    expect([await muteAll(host), await muteAll(carol)]).toEqual(['none', 'forbidden not_host']);
    const relieved = await eventually(() =>
      nolo.framesTo(host, 'meeting_participant_changed').find(({ data }) => {
        const { userId, role } = data['participant'] as { userId: string; role: string };
        return userId === carol && role === 'participant';
      }),
    );
    expect(relieved).toBeTruthy();
  });

  test("a co-host appointed in the host's absence stays one when the host returns", async () => {
    const meeting = await nolo.meeting(host);
    const own = participantIdOf(await nolo.enter(host, meeting.roomCode));
    const bens = participantIdOf(await nolo.enter(ben, meeting.roomCode));
    await nolo.enter(carol, meeting.roomCode);
    await nolo.rooms.leave({ actorId: host, participantId: own });
    await eventually(async () => (await meetingsErrorKindAndCode(moderate(ben, meeting, 'mute'))) === 'none');
    await moderate(host, meeting, 'make_co_host', bens);
    await nolo.enter(host, meeting.roomCode);
    const { participants } = await nolo.enter(carol, meeting.roomCode);
    expect(participants.find(({ userId }) => userId === ben)?.role).toBe('co_host');
  });

  test('a co-host continues to host, and nobody else becomes one', async () => {
    const meeting = await nolo.meeting(host);
    const own = participantIdOf(await nolo.enter(host, meeting.roomCode));
    await nolo.enter(ben, meeting.roomCode);
    const carols = participantIdOf(await nolo.enter(carol, meeting.roomCode));
    await moderate(host, meeting, 'make_co_host', carols);
    await nolo.rooms.leave({ actorId: host, participantId: own });
    await eventually(() => nolo.framesTo(ben, 'meeting_participant_left')[0]);
    expect(await meetingsErrorKindAndCode(moderate(carol, meeting, 'mute'))).toBe('none');
    expect(await meetingsErrorKindAndCode(moderate(ben, meeting, 'mute'))).toBe('forbidden not_host');
  });

  test('a recurring meeting is scheduled again when the last person leaves', async () => {
    const scheduledAt = nolo.clock.now();
    const meeting = await nolo.meetings.createMeeting(
      aCreateMeetingRequest({
        actorId: host,
        scheduledAt,
        durationMinutes: 15,
        timeZone: 'Africa/Johannesburg',
        recurrence: 'daily',
      }),
    );
    await inside(meeting);
    const secondEntry = await nolo.meetings.getMeeting({ actorId: host, roomCode: meeting.roomCode, address: '' });
    expect(secondEntry).toMatchObject({
      status: 'scheduled',
      scheduledAt: new Date(scheduledAt.getTime() + 86_400_000),
    });
  });

  test('a socket that returns within its lease keeps its participant', async () => {
    const meeting = await nolo.meeting(host);
    const first = await nolo.enter(host, meeting.roomCode, withMedia);
    const participantId = participantIdOf(first);
    await nolo.enter(ben, meeting.roomCode);
    await setState(host, participantId, { hand: true, video: true });
    await renew([], [participantId]);
    await eventually(() =>
      nolo
        .framesTo(ben, 'meeting_participant_changed')
        .some(({ data }) => (data['participant'] as { isReconnecting: boolean }).isReconnecting),
    );
    const back = await nolo.enter(host, meeting.roomCode, { participantId, gatewayId: 'another-gateway' });
    expect(back.participant).toMatchObject({
      id: participantId,
      hasVideo: true,
      isReconnecting: false,
      handRaisedAt: expect.any(Date),
      joinedAt: first.participant?.joinedAt,
    });
    // Media continued, and the node learns where to send frames.
    expect(requestsOf('moveSocket')).toEqual([{ roomId: meeting.id, participantId, gatewayId: 'another-gateway' }]);
    // A late report from the previous gateway changes nothing.
    await renew([], [participantId]);
    expect((await nolo.enter(carol, meeting.roomCode)).participants[0]?.isReconnecting).toBe(false);
    // The server ignores another user's participant ID.
    expect((await nolo.enter(carol, meeting.roomCode, { participantId })).participant).toMatchObject({
      id: expect.not.stringMatching(participantId),
      userId: carol,
    });
    await eventually(() => nolo.framesTo(ben, 'meeting_participant_joined').length === 2);
    expect(nolo.framesTo(ben, 'meeting_participant_joined').map(({ data }) => data['participant'])).toMatchObject([
      { userId: carol },
      { userId: carol },
    ]);
  });

  test('a retry after a lost join response gives the same participant', async () => {
    const meeting = await nolo.meeting(host);
    await nolo.enter(ben, meeting.roomCode);
    const attemptId = randomUUID();
    const first = participantIdOf(await nolo.enter(host, meeting.roomCode, { ...withMedia, attemptId }));
    const secondEntry = await nolo.enter(host, meeting.roomCode, { ...withMedia, attemptId });
    expect(participantIdOf(secondEntry)).toBe(first);
    expect(secondEntry.participants).toHaveLength(1);
    expect(nolo.framesTo(ben, 'meeting_participant_joined')).toHaveLength(1);
    // An attempt belongs to one person in one room.
    const other = await nolo.meeting(host);
    const elsewhere = participantIdOf(await nolo.enter(host, other.roomCode, { attemptId }));
    const carols = participantIdOf(await nolo.enter(carol, meeting.roomCode, { attemptId }));
    expect(new Set([first, elsewhere, carols]).size).toBe(3);
  });

  test('a participant whose lease is not renewed is removed after 8 s, and everyone is notified', async () => {
    const meeting = await nolo.meeting(host);
    const participantId = participantIdOf(await nolo.enter(host, meeting.roomCode, withMedia));
    const other = participantIdOf(await nolo.enter(ben, meeting.roomCode));
    const from = Date.now();
    await renew([participantId]);
    const timer = setInterval(() => void renew([other]), 1_000);
    try {
      await eventually(() => nolo.framesTo(ben, 'meeting_participant_left').length > 0);
    } finally {
      clearInterval(timer);
    }
    expect(Date.now() - from).toBeGreaterThan(7_000);
    expect(nolo.framesTo(ben, 'meeting_participant_left')[0]?.data).toMatchObject({ participantId, reason: 'lost' });
    expect(requestsOf('leave').filter(({ roomId }) => roomId === meeting.id)).toEqual([
      { roomId: meeting.id, participantId },
    ]);
    expect(await renew([participantId, other])).toEqual({ unknownParticipantIds: [participantId] });
    expect(await meetingsErrorKindAndCode(setState(host, participantId, { hand: true }))).toBe(
      'not_found participant_unknown',
    );
  });

  test('everyone is unknown after Redis was emptied, and rejoins', async () => {
    const meeting = await nolo.meeting(host);
    const ids = [
      participantIdOf(await nolo.enter(host, meeting.roomCode)),
      participantIdOf(await nolo.enter(ben, meeting.roomCode)),
    ];
    const keys = [...(await nolo.redis.keys(`*room:${meeting.id}*`)), ...(await nolo.redis.keys('*place:*'))];
    const bare = keys.map((key) => key.slice(key.indexOf(':') + 1));
    await nolo.redis.del('participants', ...bare);
    expect(await renew(ids)).toEqual({ unknownParticipantIds: ids });
    const back = await nolo.enter(host, meeting.roomCode, { ...withMedia, participantId: ids[0] ?? '' });
    expect(back).toMatchObject({ state: 'joined', participants: [], media: { nodeId: node.nodeId } });
    expect(participantIdOf(back)).not.toBe(ids[0]);
  });

  test("acting as another person's participant is refused", async () => {
    const meeting = await nolo.meeting(host);
    const participantId = participantIdOf(await nolo.enter(host, meeting.roomCode, withMedia));
    await nolo.enter(ben, meeting.roomCode);
    for (const attempt of [
      () => setState(ben, participantId, { hand: true }),
      () => nolo.rooms.react({ actorId: ben, participantId, reaction: '👍' }),
      () => nolo.rooms.getPeerStats({ actorId: ben, participantId }),
      () => nolo.rooms.joinMedia({ actorId: ben, participantId, rtpCapabilitiesJson: testCapabilities }),
      () => nolo.rooms.restartIce({ actorId: ben, participantId, transportId: 't' }),
      () => nolo.rooms.closeProducer({ actorId: ben, participantId, producerId: 'p' }),
    ]) {
      expect(await meetingsErrorKindAndCode(attempt())).toBe('not_found participant_unknown');
    }
    await nolo.rooms.leave({ actorId: ben, participantId });
    expect(await renew([participantId])).toEqual({ unknownParticipantIds: [] });
  });
});

describe('a participant in a room', () => {
  test('switches reach the node and the others; raised hands keep their order', async () => {
    const meeting = await nolo.meeting(host);
    const participantId = participantIdOf(await nolo.enter(host, meeting.roomCode, withMedia));
    const other = participantIdOf(await nolo.enter(ben, meeting.roomCode));
    const { roomId } = { roomId: meeting.id };
    expect(await setState(host, participantId, { audio: false, video: true })).toMatchObject({
      isMuted: true,
      hasVideo: true,
    });
    expect(requestsOf('setPaused')).toEqual([
      { roomId, participantId, source: 'microphone', paused: true },
      { roomId, participantId, source: 'camera', paused: false },
    ]);
    const raised = await setState(ben, other, { hand: true });
    nolo.clock.advance(5_000);
    expect((await setState(ben, other, { hand: true })).handRaisedAt).toEqual(raised.handRaisedAt);
    expect((await setState(ben, other, { hand: false })).handRaisedAt).toBeUndefined();
    await nolo.rooms.react({ actorId: ben, participantId: other, reaction: '🎉' });
    const frame = await eventually(() => nolo.framesTo(host, 'meeting_reaction')[0]);
    expect(frame.data).toEqual({ roomCode: meeting.roomCode, participantId: other, reaction: '🎉' });
    expect(
      await meetingsErrorKindAndCode(nolo.rooms.react({ actorId: ben, participantId: other, reaction: 'x' })),
    ).toBe('invalid action_refused');
    expect(await meetingsErrorKindAndCode(setState(ben, other, {}))).toBe('invalid action_refused');
  });

  test('reactions are rate-limited', async () => {
    const meeting = await nolo.meeting(host);
    const [mine, other] = [
      participantIdOf(await nolo.enter(host, meeting.roomCode, withMedia)),
      participantIdOf(await nolo.enter(ben, meeting.roomCode, withMedia)),
    ];
    const { points, durationSeconds } = rateLimits.reactionsPerParticipant;
    await nolo.redis.set(`limit:reactionsPerParticipant:${other}`, points - 1, 'EX', durationSeconds);
    const react = (actorId: string, participantId: string) =>
      nolo.rooms.react({ actorId, participantId, reaction: '🎉' });
    await react(ben, other);
    expect(await meetingsErrorKindAndCode(react(ben, other))).toBe('rate_limited rate_limited');
    await react(host, mine);
  });

  test('only hosts can share screens if the host requires it', async () => {
    const meeting = await nolo.meeting(host, { allowScreenShare: false });
    const own = participantIdOf(await nolo.enter(host, meeting.roomCode, withMedia));
    const other = participantIdOf(await nolo.enter(ben, meeting.roomCode, withMedia));
    const track = { kind: 'video', source: 'screen', rtpParametersJson: '{}', paused: false };
    expect(await meetingsErrorKindAndCode(setState(ben, other, { screen: true }))).toBe(
      'forbidden screen_share_refused',
    );
    expect(await meetingsErrorKindAndCode(nolo.rooms.produce({ actorId: ben, participantId: other, ...track }))).toBe(
      'forbidden screen_share_refused',
    );
    expect(await nolo.rooms.produce({ actorId: host, participantId: own, ...track })).toEqual({
      producerId: 'producer-1',
    });
    expect((await setState(host, own, { screen: true })).isSharing).toBe(true);
  });

  test('microphones start muted if the host requires it, except those of hosts', async () => {
    const meeting = await nolo.meeting(host, { muteOnEntry: true });
    expect((await nolo.enter(ben, meeting.roomCode)).participant?.isMuted).toBe(true);
    expect((await nolo.enter(host, meeting.roomCode)).participant?.isMuted).toBe(false);
  });

  test('transport requests are available to those the node carries', async () => {
    const meeting = await nolo.meeting(host);
    const participantId = participantIdOf(await nolo.enter(host, meeting.roomCode, withMedia));
    const mine = { actorId: host, participantId };
    await nolo.rooms.connectTransport({ ...mine, transportId: 't', dtlsParametersJson: '{}' });
    expect(await nolo.rooms.restartIce({ ...mine, transportId: 't' })).toEqual({
      iceParametersJson: '{"usernameFragment":"new"}',
    });
    await nolo.rooms.setView({ ...mine, tiles: [] });
    await nolo.rooms.resumeConsumers({ ...mine, consumerIds: ['c'] });
    expect(await nolo.rooms.getPeerStats(mine)).toMatchObject({ sendLoss: 0.01, roundTripMs: 20 });
    // The node may still receive calls about others from the previous test.
    const about = node.requests.filter(({ request }) => request['participantId'] === participantId);
    expect(about.map(({ method }) => method)).toEqual([
      'join',
      'connectTransport',
      'restartIce',
      'setView',
      'resumeConsumers',
      'getPeerStats',
    ]);
    const without = participantIdOf(await nolo.enter(ben, meeting.roomCode));
    expect(await meetingsErrorKindAndCode(nolo.rooms.getPeerStats({ actorId: ben, participantId: without }))).toBe(
      'not_found participant_unknown',
    );
  });
});

describe('the lobby', () => {
  const lobbyOf = async (meeting: Meeting) =>
    (await nolo.rooms.listLobby({ actorId: host, roomCode: meeting.roomCode, address: '' })).waiting.map(
      ({ id }) => id,
    );

  test('people waiting are limited', async () => {
    const meeting = await nolo.meeting(host, { waitingRoom: true });
    await nolo.enter(host, meeting.roomCode);
    for (let count = 0; count < limits.lobbySize; count += 1) {
      expect((await nolo.enter(randomUUID(), meeting.roomCode)).state).toBe('waiting');
    }
    expect(await meetingsErrorKindAndCode(nolo.enter(randomUUID(), meeting.roomCode))).toBe('conflict room_full');
    expect(await lobbyOf(meeting)).toHaveLength(limits.lobbySize);
  });

  test('absent hosts are notified occasionally that someone waits; one who is there sees it', async () => {
    const lobbyArrivals: unknown[] = [];
    const end = await followEvents(
      nolo.db,
      ['event.meetings.lobby_waiting'],
      ({ data }) => void lobbyArrivals.push(data),
    );
    const seen = await nolo.meeting(host, { waitingRoom: true });
    await nolo.enter(host, seen.roomCode);
    await nolo.enter(ben, seen.roomCode);
    const { id: meetingId, roomCode } = await nolo.meeting(host, { waitingRoom: true });
    await nolo.enter(ben, roomCode);
    await eventually(() => lobbyArrivals.length === 1);
    expect(lobbyArrivals).toEqual([{ meetingId, roomCode, hostIds: [host] }]);
    await nolo.enter(carol, roomCode);
    nolo.clock.advance(61_000);
    await nolo.enter(randomUUID(), roomCode);
    await eventually(() => lobbyArrivals.length === 2);
    end();
  });

  test('admitted people join, rejected ones stay out, and hosts see who waits', async () => {
    const meeting = await nolo.meeting(host, { waitingRoom: true });
    await nolo.enter(host, meeting.roomCode);
    const [waits, secondEntry] = [await nolo.enter(ben, meeting.roomCode), await nolo.enter(carol, meeting.roomCode)];
    expect(waits).toMatchObject({ state: 'waiting', participants: [], media: undefined });
    const ids = [participantIdOf(waits), participantIdOf(secondEntry)];
    expect((await lobbyOf(meeting)).sort()).toEqual([...ids].sort());
    await eventually(() => nolo.framesTo(host, 'meeting_lobby').length >= 2);
    expect(await meetingsErrorKindAndCode(setState(ben, ids[0] ?? '', { hand: true }))).toBe(
      'not_found participant_unknown',
    );

    await moderate(host, meeting, 'admit', ids[0]);
    const admitted = await eventually(() => nolo.framesTo(ben, 'meeting_admitted')[0]);
    expect(admitted).toMatchObject({ scope: ids[0], data: { roomCode: meeting.roomCode, participantId: ids[0] } });
    const entry = await nolo.enter(ben, meeting.roomCode, { participantId: ids[0] ?? '' });
    expect(entry).toMatchObject({ state: 'joined', participant: { id: ids[0] } });
    await eventually(() => nolo.framesTo(host, 'meeting_participant_joined').length === 1);
    expect(await lobbyOf(meeting)).toEqual([ids[1]]);

    await moderate(host, meeting, 'deny', ids[1]);
    await eventually(() => nolo.framesTo(carol, 'meeting_denied')[0]);
    expect(await lobbyOf(meeting)).toEqual([]);
    expect(await meetingsErrorKindAndCode(moderate(ben, meeting, 'admit'))).toBe('forbidden not_host');
    expect(
      await meetingsErrorKindAndCode(nolo.rooms.listLobby({ actorId: ben, roomCode: meeting.roomCode, address: '' })),
    ).toBe('forbidden not_host');
  });

  test('everyone is admitted at once, up to the capacity', async () => {
    const meeting = await nolo.meeting(host, { waitingRoom: true }, { maxParticipants: 2 });
    await nolo.enter(host, meeting.roomCode);
    await nolo.enter(ben, meeting.roomCode);
    nolo.clock.advance(10);
    await nolo.enter(carol, meeting.roomCode);
    expect(await meetingsErrorKindAndCode(moderate(host, meeting, 'admit'))).toBe('conflict room_full');
    await eventually(() => nolo.framesTo(ben, 'meeting_admitted').length === 1);
    expect(nolo.framesTo(carol, 'meeting_admitted')).toEqual([]);
  });
});

describe('moderation', () => {
  const scene = async () => {
    const meeting = await nolo.meeting(host);
    const [dora, erik] = [await nolo.person(), await nolo.person()];
    const ids: Record<string, string> = {};
    for (const who of [host, ben, carol, dora, erik]) {
      ids[who] = participantIdOf(await nolo.enter(who, meeting.roomCode, withMedia));
    }
    await moderate(host, meeting, 'make_co_host', ids[ben]);
    await moderate(host, meeting, 'make_co_host', ids[dora]);
    nolo.frames.length = 0;
    node.requests.length = 0;
    return { meeting, ids, dora, erik };
  };

  test('permissions by role and action', async () => {
    const { meeting, ids, dora, erik } = await scene();
    const verdicts: Record<string, string> = {};
    for (const action of ['mute', 'stop_video', 'ask_to_unmute', 'lower_hand', 'make_co_host', 'make_participant']) {
      const about = async (who: string, whom: string) =>
        meetingsErrorKindAndCode(moderate(who, meeting, action, ids[whom]));
      verdicts[action] = [
        await about(host, carol),
        await about(host, dora),
        await about(ben, host),
        await about(ben, dora),
        await about(carol, erik),
        await about(await nolo.person(), erik),
        await about(ben, carol),
      ]
        .map((verdict) => verdict.split(' ')[1] ?? 'yes')
        .join(' ');
      if (action === 'make_co_host') await moderate(host, meeting, 'make_participant', ids[carol]);
      if (action === 'make_participant') await moderate(host, meeting, 'make_co_host', ids[dora]);
    }
    const defaultVerdicts = 'yes yes action_refused not_host not_host meeting_not_found yes';
    const ofHosts = 'yes yes action_refused not_host not_host meeting_not_found not_host';
    expect(verdicts).toEqual({
      mute: defaultVerdicts,
      stop_video: defaultVerdicts,
      ask_to_unmute: defaultVerdicts,
      lower_hand: defaultVerdicts,
      make_co_host: ofHosts,
      make_participant: ofHosts,
    });
    expect(await meetingsErrorKindAndCode(moderate(host, meeting, 'promote', ids[carol]))).toBe(
      'invalid action_refused',
    );
    expect(await meetingsErrorKindAndCode(moderate(host, meeting, 'remove'))).toBe('invalid action_refused');
  });

  test('a microphone is muted at the node, and its owner is notified', async () => {
    const { meeting, ids } = await scene();
    await moderate(ben, meeting, 'mute', ids[carol]);
    expect(requestsOf('setPaused')).toEqual([
      { roomId: meeting.id, participantId: ids[carol], source: 'microphone', paused: true },
    ]);
    const frame = await eventually(() => nolo.framesTo(carol, 'meeting_asked')[0]);
    expect(frame).toMatchObject({ scope: ids[carol], data: { participantId: ids[carol], what: 'muted' } });
    await eventually(() =>
      nolo
        .framesTo(host, 'meeting_participant_changed')
        .some(({ data }) => (data['participant'] as { id: string; isMuted: boolean }).isMuted),
    );
  });

  test('everyone but hosts is muted at once', async () => {
    const { meeting, ids, erik } = await scene();
    await moderate(host, meeting, 'mute');
    const muted = new Set(requestsOf('setPaused').map(({ participantId }) => participantId));
    expect(muted).toEqual(new Set([ids[carol], ids[erik]]));
  });

  test('a removed person stays out, in every tab and with an invite', async () => {
    const { meeting, ids } = await scene();
    const tab = participantIdOf(await nolo.enter(carol, meeting.roomCode));
    const { token } = await nolo.meetings.createInvite({ actorId: host, roomCode: meeting.roomCode, address: '' });
    await moderate(ben, meeting, 'remove', ids[carol]);
    expect(await renew([ids[carol] ?? '', tab])).toEqual({ unknownParticipantIds: [ids[carol], tab] });
    await eventually(() => nolo.framesTo(carol, 'meeting_asked').length === 2);
    expect(await meetingsErrorKindAndCode(nolo.enter(carol, meeting.roomCode, { inviteToken: token }))).toBe(
      'forbidden removed',
    );
    await eventually(() =>
      nolo.framesTo(host, 'meeting_participant_left').some(({ data }) => data['reason'] === 'removed'),
    );
  });

  test('a co-host is one in every tab and after returning', async () => {
    const { meeting, ids } = await scene();
    const tab = participantIdOf(await nolo.enter(carol, meeting.roomCode));
    await moderate(host, meeting, 'make_co_host', ids[carol]);
    const roles = (await inside(meeting)).filter(({ userId }) => userId === carol).map(({ role }) => role);
    expect(roles).toEqual(['co_host', 'co_host']);
    await nolo.rooms.leave({ actorId: carol, participantId: tab });
    expect((await nolo.enter(carol, meeting.roomCode)).participant?.role).toBe('co_host');
  });
});
