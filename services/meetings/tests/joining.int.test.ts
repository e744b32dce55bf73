import { randomUUID } from 'node:crypto';
import { eventually } from '@nolo/testing';
import { aCreateMeetingRequest } from '@nolo/testing/protos';
import { ben, carol, host, inside, moderate, node, nolo, renew, requestsOf, setState, withMedia } from './roomScene.ts';
import { testCapabilities, participantIdOf, meetingsErrorKindAndCode } from './startMeetings.ts';

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
