import { randomUUID } from 'node:crypto';
import { eventually, signUpByPhone, TestSocket, type Json, type TestUser } from '@nolo/testing';
import { openAcceptedConversation, must } from '../support/authorization/authorizationCast.ts';
import {
  enterMeetingBySocket,
  createGuestPass,
  openGuestTestSocket,
  testRtpCapabilities,
  createVoiceParameters,
} from '../support/authorization/meetingCast.ts';
import { openSharedTestStack } from '../support/stacks/testStack.ts';

const running = openSharedTestStack();
let ann: TestUser;
let ben: TestUser;

beforeAll(async () => {
  // Each connects to a gateway of their own.
  [ann, ben] = (await Promise.all(running.urls.map((url) => signUpByPhone(url)))) as [TestUser, TestUser];
});
afterEach(async () => {
  await Promise.all([ann?.disconnect(), ben?.disconnect()]);
});

async function opened(user: TestUser): Promise<TestSocket> {
  const socket = await user.connectSocket();
  await socket.next('hello');
  return socket;
}

async function create(body: Json = {}): Promise<string> {
  return must(await ann.api.post('/api/meetings/create', { name: 'A meeting', ...body }), 'A meeting').body
    .roomCode as string;
}

describe('a meeting', () => {
  it('is scheduled, found by its code, changed and cancelled', async () => {
    const scheduledAt = new Date(Date.now() + 86_400_000).toISOString();
    const made = must(
      await ann.api.post('/api/meetings/create', {
        name: ' Planning ',
        scheduledAt,
        duration: 30,
        maxParticipants: 10,
        timeZone: 'Europe/Berlin',
        recurrence: 'weekly',
      }),
      'A meeting',
    ).body;
    expect(made).toMatchObject({
      name: 'Planning',
      type: 'recurring',
      timeZone: 'Europe/Berlin',
      recurrence: 'weekly',
      scheduledAt,
      scheduledFor: scheduledAt,
      duration: 30,
      isHost: true,
    });
    expect(made.roomCode).toMatch(/^[A-HJ-KM-NP-Z2-9]{6}$/);
    const reply = await ben.api.get(`/api/meetings/${String(made.roomCode).toLowerCase()}`);
    expect(reply.body).toMatchObject({ id: made.id, isHost: false, conversationId: null, hasInvite: false });
    const changed = await ann.api.patch(`/api/meetings/${made.roomCode}`, { settings: { waitingRoom: true } });
    expect(changed.body.settings).toMatchObject({ waitingRoom: true, requireAuth: true, maxParticipants: 10 });
    expect((await ben.api.post(`/api/meetings/join/${made.roomCode}`, {})).body).toMatchObject({ access: 'wait' });
    const { url } = must(await ann.api.post(`/api/meetings/${made.roomCode}/invite`), 'The invite').body;
    const inviteToken = new URLSearchParams(new URL(url as string).hash.slice(1)).get('invite');
    const invited = await ben.api.post(`/api/meetings/join/${made.roomCode}`, { inviteToken });
    expect(invited.body).toMatchObject({ access: 'enter' });
    const listed = (await ann.api.get('/api/meetings?status=scheduled')).body as Json[];
    expect(listed.map(({ id }) => id as string)).toContain(made.id);
    expect((await ann.api.delete(`/api/meetings/${made.roomCode}`)).body).toMatchObject({ status: 'cancelled' });
    expect(await ben.api.post(`/api/meetings/join/${made.roomCode}`, {})).toMatchObject({
      body: { code: expect.stringMatching(/^meeting_(over|not_found)$/) },
    });
  });

  it('is one room across both gateways, with media between them', async () => {
    const roomCode = await create();
    const [annSocket, benSocket] = [await opened(ann), await opened(ben)];
    const annRoom = await enterMeetingBySocket(annSocket, roomCode, { rtpCapabilities: testRtpCapabilities });
    expect(annRoom).toMatchObject({ state: 'joined', participants: [], meeting: { status: 'live', isHost: true } });
    const benRoom = await enterMeetingBySocket(benSocket, roomCode, {
      rtpCapabilities: testRtpCapabilities,
      audio: false,
    });
    expect(benRoom.participants).toMatchObject([{ id: annRoom.participant.id, role: 'host' }]);
    const joined = await annSocket.next('meeting_participant_joined');
    expect(joined.data).toEqual({ roomCode, participant: benRoom.participant });
    expect(benRoom.participant).toMatchObject({ isMuted: true, hasVideo: false, role: 'participant' });

    const own = { roomCode, participantId: benRoom.participant.id as string };
    const produced = await benSocket.request('media_produce', {
      ...own,
      kind: 'audio',
      source: 'microphone',
      rtpParameters: createVoiceParameters(),
      paused: false,
    });
    expect(produced.type).toBe('ack');
    const added = await annSocket.next('media_consumer_added');
    expect(added.data).toMatchObject({
      participantId: annRoom.participant.id,
      consumer: { participantId: own.participantId, producerId: produced.data['producerId'], kind: 'audio' },
    });
    const raised = await benSocket.request('meeting_hand_toggle', { ...own, raised: true });
    const changed = await annSocket.next('meeting_participant_changed', ({ participant }) => participant.isHandRaised);
    expect(changed.data['participant']).toEqual(raised.data['participant']);

    const decide = async (action: string) =>
      must(
        await ann.api.post(`/api/meetings/${roomCode}/moderation`, { action, participantId: own.participantId }),
        action,
      );
    await decide('ask_to_unmute');
    expect((await benSocket.next('meeting_asked')).data).toMatchObject({ what: 'unmute' });
    await benSocket.request('leave_meeting', own);
    expect((await annSocket.next('meeting_participant_left')).data).toEqual({
      roomCode,
      participantId: own.participantId,
      reason: 'left',
      version: expect.any(Number),
    });
    must(await ann.api.post(`/api/meetings/${roomCode}/end`), 'The end');
    expect((await annSocket.next('meeting_ended')).data).toEqual({ roomCode, reason: 'ended' });
  });

  it('continues for a participant whose connection broke, on the other gateway too', async () => {
    const roomCode = await create();
    const [annSocket, before] = [await opened(ann), await opened(ben)];
    await enterMeetingBySocket(annSocket, roomCode);
    const { participant } = await enterMeetingBySocket(before, roomCode);
    before.cut();
    const away = await annSocket.next('meeting_participant_changed');
    expect(away.data['participant']).toMatchObject({ id: participant.id, isReconnecting: true });
    const after = await TestSocket.open(running.urls[0]!, ben.api.token);
    await after.next('hello');
    const secondEntry = await enterMeetingBySocket(after, roomCode, { participantId: participant.id as string });
    expect(secondEntry.participant).toMatchObject({ id: participant.id, isReconnecting: false });
    await annSocket.next('meeting_participant_changed', ({ participant: one }) => one.isReconnecting === false);
    await after.close();
    expect(annSocket.frames.map(({ type }) => type)).not.toContain('meeting_participant_left');
  });

  it('drops a participant who does not return, after the lease', async () => {
    const roomCode = await create();
    const [annSocket, benSocket] = [await opened(ann), await opened(ben)];
    await enterMeetingBySocket(annSocket, roomCode);
    const { participant } = await enterMeetingBySocket(benSocket, roomCode);
    benSocket.cut();
    const left = await annSocket.next('meeting_participant_left');
    expect(left.data).toEqual({
      roomCode,
      participantId: participant.id,
      reason: 'lost',
      version: expect.any(Number),
    });
  });

  it('admits a guest when the host does, and denies another', async () => {
    const roomCode = await create({ settings: { requireAuth: false } });
    const annSocket = await opened(ann);
    await enterMeetingBySocket(annSocket, roomCode);
    const decide = async (action: string, participantId: string) =>
      must(await ann.api.post(`/api/meetings/${roomCode}/moderation`, { action, participantId }), action);
    const guests = [];
    for (const action of ['admit', 'deny']) {
      const { cookie, guestId } = await createGuestPass(running.urls[1]!, roomCode);
      const socket = await openGuestTestSocket(running.urls[1]!, cookie);
      guests.push(socket);
      const { state, participant } = await enterMeetingBySocket(socket, roomCode);
      expect(state).toBe('waiting');
      const lobby = await annSocket.next('meeting_lobby', ({ waiting }) => (waiting as Json[]).length > 0);
      expect(lobby.data['waiting']).toMatchObject([{ id: participant.id, userId: guestId, role: 'guest' }]);
      const { body } = await ann.api.get(`/api/meetings/${roomCode}/lobby`);
      expect(body).toEqual(lobby.data['waiting']);
      await decide(action, participant.id as string);
      if (action === 'deny') {
        await socket.next('meeting_denied');
        continue;
      }
      await socket.next('meeting_admitted');
      const inside = await enterMeetingBySocket(socket, roomCode, { participantId: participant.id as string });
      expect(inside).toMatchObject({ state: 'joined', meeting: { conversationId: null } });
      // Participants did not know of the guests before.
      expect((await annSocket.next('meeting_participant_joined')).data['participant'].id).toBe(participant.id);
    }
    await Promise.all(guests.map((socket) => socket.close()));
  });
});

describe('a call', () => {
  it('rings on every device, is answered on one, relays signals and ends', async () => {
    const conversationId = await openAcceptedConversation(ann, ben);
    // Calls are direct only between contacts.
    must(await ben.api.post('/api/contacts', { userId: ann.id }), 'The contact');
    const [caller, first, second] = [await opened(ann), await opened(ben), await opened(ben)];
    const [annDevice, benDevice] = [randomUUID(), randomUUID()];
    const call = must(
      await ann.api.post('/api/calls/initiate', { conversationId, callType: 'voice', deviceId: annDevice }),
      'The call',
    ).body;
    expect(call).toMatchObject({ type: 'audio', status: 'ringing', mode: 'direct', callerId: ann.id });
    for (const socket of [first, second]) {
      expect((await socket.next('call_initiated')).data['call']).toMatchObject({ id: call.id, status: 'ringing' });
    }
    must(await ben.api.post(`/api/calls/${call.id}/answer`, { deviceId: benDevice }), 'The answer');
    for (const socket of [caller, first, second]) {
      await socket.next('call_changed', ({ call: changed }) => changed.id === call.id && changed.status !== 'ringing');
    }
    const elsewhere = await ben.api.post(`/api/calls/${call.id}/answer`, { deviceId: randomUUID() });
    expect(elsewhere).toMatchObject({ status: 409, body: { code: 'call_answered_elsewhere' } });
    const signalData = { description: { type: 'offer', sdp: 'v=0' } };
    await caller.request('webrtc_signal', { callId: call.id, targetUserId: ben.id, deviceId: annDevice, signalData });
    expect((await first.next('webrtc_signal')).data).toMatchObject({
      callId: call.id,
      senderUserId: ann.id,
      deviceId: annDevice,
      signalData,
    });
    expect((await first.request('call_end', { callId: call.id })).data).toMatchObject({ call: { status: 'ended' } });
    for (const socket of [caller, second]) await socket.next('call_ended', ({ call: ended }) => ended.id === call.id);
    const [latest] = (await ann.api.get('/api/calls')).body as Json[];
    expect(latest).toMatchObject({ id: call.id, status: 'ended', endReason: 'completed' });
  });

  it('goes through the SFU for two who are not contacts, and a third person joins', async () => {
    const [one, two, three] = (await Promise.all([0, 1, 0].map((index) => signUpByPhone(running.urls[index]!)))) as [
      TestUser,
      TestUser,
      TestUser,
    ];
    const conversationId = await openAcceptedConversation(one, two);
    for (const { api } of [two, three]) must(await api.put('/api/profile/privacy', { callsFrom: 'everyone' }), 'Calls');
    const thirdSocket = await opened(three);
    const call = must(
      await one.api.post('/api/calls/initiate', { conversationId, callType: 'video', deviceId: randomUUID() }),
      'The call',
    ).body;
    expect(call).toMatchObject({ type: 'video', mode: 'room' });
    must(await two.api.post(`/api/calls/${call.id}/answer`, { deviceId: randomUUID() }), 'The answer');
    const sockets = [await opened(one), await opened(two)];
    for (const socket of sockets) {
      const room = await enterMeetingBySocket(socket, call.id as string, { rtpCapabilities: testRtpCapabilities });
      expect(room).toMatchObject({ state: 'joined', meeting: null });
    }
    expect(await thirdSocket.request('join_meeting', { roomCode: call.id })).toMatchObject({
      type: 'error',
      data: { code: 'call_not_found' },
    });
    must(await one.api.post(`/api/calls/${call.id}/invite`, { userId: three.id }), 'The invitation');
    await thirdSocket.next('call_initiated', ({ call: ringing }) => ringing.id === call.id);
    must(await three.api.post(`/api/calls/${call.id}/answer`, { deviceId: randomUUID() }), 'The third');
    const { participants } = await enterMeetingBySocket(thirdSocket, call.id as string, {
      rtpCapabilities: testRtpCapabilities,
    });
    expect(participants).toHaveLength(2);
    must(await one.api.post(`/api/calls/${call.id}/end`), 'Hanging up');
    await eventually(async () => {
      const { body } = await two.api.get(`/api/calls/${call.id}`);
      return (body.participants as Json[]).some(({ userId, state }) => userId === one.id && state === 'left');
    });
    await Promise.all([one, two, three].map((user) => user.disconnect()));
  });
});
