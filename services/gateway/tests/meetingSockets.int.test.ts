import { randomUUID } from 'node:crypto';
import { socketEventLimits, socketLimits } from '@nolo/rules';
import { eventually, type TestSocket, type TestUser } from '@nolo/testing';
import { aCall, aMeeting, aParticipant } from '@nolo/testing/protos';
import { aSession } from './memoryMeetings.ts';
import { startTestGateway, type TestGateway } from './startTestGateway.ts';

let gateway: TestGateway;
let user: TestUser;
let other: TestUser;

const rtpCapabilities = { codecs: [] };
const roomCode = 'ABC234';

beforeAll(async () => {
  gateway = await startTestGateway();
}, 30_000);
beforeEach(async () => {
  // Entering is dear, and all these tests together are more of it than anybody may do at once.
  [user, other] = [await gateway.signUp(), await gateway.signUp()];
  const { answers, asked } = gateway.meetings;
  Object.assign(answers, { meeting: aMeeting(), call: aCall(), error: undefined });
  answers.enter = (participant) => ({
    state: 'joined',
    roomId: 'room-1',
    participant,
    participants: [],
    meeting: answers.meeting,
    media: undefined,
    guarded: false,
  });
  asked.length = 0;
});
afterEach(async () => {
  await user.disconnect();
  await other.disconnect();
});
afterAll(() => gateway.stop());

const last = (name: string) => gateway.meetings.last(name);

async function open(person: TestUser): Promise<TestSocket> {
  const socket = await person.connectSocket();
  await socket.next('hello');
  return socket;
}

/** Enters and answers with the participant's id. */
async function enter(socket: TestSocket, data: Record<string, unknown> = {}): Promise<string> {
  const { type, data: joined } = await socket.request('join_meeting', { roomCode, ...data });
  expect(type).toBe('ack');
  return joined['participant'].id as string;
}

/** Frames of this kind that a socket got so far. */
const seen = (socket: TestSocket, type: string) => socket.frames.filter((frame) => frame.type === type);

describe('join_meeting', () => {
  it('answers with the room, and with everything for media', async () => {
    await user.api.put('/api/profile', { firstName: 'Ursula', lastName: 'Le Guin' });
    const host = aParticipant({ role: 'host', handRaisedAt: new Date('2026-03-02T08:40:00.000Z') });
    const { answers } = gateway.meetings;
    answers.enter = (participant) => ({
      state: 'joined',
      roomId: 'room-1',
      participant,
      participants: [host],
      meeting: answers.meeting,
      media: aSession,
      guarded: false,
    });
    const socket = await open(user);
    const [participantId, attemptId] = [randomUUID(), randomUUID()];
    const { data } = await socket.request('join_meeting', {
      roomCode: ' abc 234',
      inviteToken: 'token',
      participantId,
      attemptId,
      rtpCapabilities,
      audio: false,
      video: true,
    });
    expect(last('enter')).toMatchObject({
      actorId: user.id,
      roomCode,
      inviteToken: 'token',
      gatewayId: gateway.replicaId,
      rtpCapabilitiesJson: '{"codecs":[]}',
      muted: true,
      video: true,
      participantId,
      address: '127.0.0.1',
      name: expect.stringContaining('Ursula'),
      guestMeetingId: '',
      attemptId,
    });
    expect(data).toMatchObject({
      state: 'joined',
      participant: { id: participantId, userId: user.id },
      participants: [{ id: host.id, role: 'host', isHandRaised: true, handRaisedAt: '2026-03-02T08:40:00.000Z' }],
      meeting: { roomCode },
      media: {
        nodeId: 'node-1',
        routerRtpCapabilities: { codecs: true },
        sendTransport: { id: 'sending', iceCandidates: [{ port: 4 }] },
        receiveTransport: { id: 'receiving' },
        consumers: [],
        iceServers: [{ urls: ['turn:turn.example'], username: 'u', credential: 'c' }],
      },
    });
  });

  it("takes a call's id as it is, and answers without a meeting", async () => {
    const { answers } = gateway.meetings;
    answers.enter = (participant) => ({
      state: 'joined',
      roomId: 'call-1-2',
      participant,
      participants: [],
      meeting: undefined,
      media: undefined,
      guarded: false,
    });
    const socket = await open(user);
    const { data } = await socket.request('join_meeting', { roomCode: 'call-1-2' });
    expect(last('enter')).toMatchObject({
      roomCode: 'call-1-2',
      rtpCapabilitiesJson: undefined,
      muted: false,
      video: false,
    });
    expect(data).toMatchObject({ meeting: null, media: null });
  });

  it('is prepared by asking for transports at the door, and then knows the name', async () => {
    await user.api.put('/api/profile', { firstName: 'Ursula', lastName: 'Le Guin' });
    const socket = await open(user);
    const dtlsParameters = { role: 'client', fingerprints: [] };
    const wish = { roomCode: ' abc 234', attemptId: randomUUID(), dtlsParameters };
    const { data } = await socket.request('media_reserve', wish);
    expect(data).toMatchObject({ media: { nodeId: 'node-1', consumers: [] }, goodForMs: 60_000 });
    const dtlsParametersJson = JSON.stringify(dtlsParameters);
    const asked = { actorId: user.id, roomCode, attemptId: wish.attemptId, dtlsParametersJson };
    expect(last('reserve')).toMatchObject(asked);
    for (const _ of ['foreseen', 'looked up']) {
      await enter(socket, { attemptId: wish.attemptId, dtlsParameters, seatNodeId: 'node-1' });
      expect(last('enter')).toMatchObject({ ...asked, name: 'Ursula Le Guin', seatNodeId: 'node-1' });
    }
    const nothing = await socket.request('media_reserve', { roomCode, dtlsParameters });
    expect(nothing.data).toEqual({ media: null, goodForMs: 0 });
  });

  it('lets one socket be in four rooms, and go on in each', async () => {
    const socket = await open(user);
    const ids = [];
    for (let count = 0; count < 4; count += 1) ids.push(await enter(socket));
    const fifth = await socket.request('join_meeting', { roomCode });
    expect(fifth).toMatchObject({ type: 'error', data: { code: 'too_many_joined' } });
    expect(await enter(socket, { participantId: ids[0] })).toBe(ids[0]);
    await socket.request('leave_meeting', { roomCode, participantId: ids[1] });
    await enter(socket);
  });
});

describe('events of a participant', () => {
  const participantId = randomUUID();
  const inRoom = { roomCode, participantId };
  const unchanged = { audio: undefined, video: undefined, screen: undefined, hand: undefined };

  it.each<[string, object, string, object, object]>([
    ['meeting_audio_toggle', { enabled: false }, 'setState', { ...unchanged, audio: false }, {}],
    ['meeting_video_toggle', { enabled: true }, 'setState', { ...unchanged, video: true }, {}],
    ['meeting_screenshare_toggle', { enabled: true }, 'setState', { ...unchanged, screen: true }, {}],
    ['meeting_hand_toggle', { raised: true }, 'setState', { ...unchanged, hand: true }, {}],
    ['meeting_reaction', { reaction: '🎉' }, 'react', { reaction: '🎉' }, {}],
    ['sfu_connection_update', { state: 'connected' }, 'getQuality', {}, { sendLoss: 0.01, degradedConsumers: 1 }],
    [
      'media_join',
      { rtpCapabilities },
      'joinMedia',
      { rtpCapabilitiesJson: '{"codecs":[]}' },
      { nodeId: 'node-1', sendTransport: { id: 'sending' } },
    ],
    [
      'media_connect_transport',
      { transportId: 't', dtlsParameters: { role: 'client' } },
      'connectTransport',
      { transportId: 't', dtlsParametersJson: '{"role":"client"}' },
      {},
    ],
    [
      'media_restart_ice',
      { transportId: 't' },
      'restartIce',
      { transportId: 't' },
      { iceParameters: { usernameFragment: true } },
    ],
    [
      'media_produce',
      { kind: 'audio', source: 'microphone', rtpParameters: { mid: '0' }, paused: true },
      'produce',
      { kind: 'audio', source: 'microphone', rtpParametersJson: '{"mid":"0"}', paused: true },
      { producerId: 'producer-1' },
    ],
    ['media_close_producer', { producerId: 'p' }, 'closeProducer', { producerId: 'p' }, {}],
    ['media_resume_consumers', { consumerIds: ['a', 'b'] }, 'resumeConsumers', { consumerIds: ['a', 'b'] }, {}],
    [
      'media_view',
      { tiles: [{ participantId, source: 'camera', height: 360, priority: 2 }] },
      'setView',
      { tiles: [{ participantId, source: 'camera', height: 360, priority: 2 }] },
      {},
    ],
  ])('%s %j', async (type, data, name, request, answer) => {
    const socket = await open(user);
    const reply = await socket.request(type, { ...inRoom, ...data });
    expect(reply.type).toBe('ack');
    expect(last(name)).toEqual({ actorId: user.id, participantId, ...request });
    expect(reply.data).toMatchObject(answer);
    if (name === 'setState') expect(reply.data['participant'].id).toBe(participantId);
  });

  it('of calls', async () => {
    const socket = await open(user);
    const deviceId = randomUUID();
    const signal = { callId: 'call-1-2', targetUserId: other.id, deviceId };
    await socket.request('webrtc_signal', { ...signal, signalData: { candidate: 'x' } });
    expect(last('signal')).toEqual({ actorId: user.id, ...signal, signalJson: '{"candidate":"x"}' });
    // A client that knows no more than the specification names neither; another socket of its session is the same device.
    const simple = { targetUserId: other.id, signalData: { candidate: 'x' } };
    expect((await socket.request('webrtc_signal', simple)).type).toBe('ack');
    const first = last('signal');
    expect(first).toEqual({
      ...signal,
      actorId: user.id,
      callId: undefined,
      deviceId: expect.any(String),
      signalJson: '{"candidate":"x"}',
    });
    await (await open(user)).request('webrtc_signal', simple);
    expect(last('signal')).toEqual(first);
    await socket.request('call_end', {});
    expect(last('endCall')).toMatchObject({ actorId: user.id, callId: undefined });
    const ended = await socket.request('call_end', { callId: 'call-1-2' });
    expect(last('endCall')).toMatchObject({ actorId: user.id, callId: 'call-1-2', deviceId: undefined });
    expect(ended.data).toMatchObject({ call: { id: 'call-1-2', status: 'ringing' } });
  });
});

describe('frames', () => {
  const reaction = (participantId: string) => ({
    type: 'meeting_reaction',
    data: { roomCode, participantId, reaction: '🎉' },
  });

  it('for the room reach the tabs that are inside, and no others of the same people', async () => {
    const [inside, elsewhere, theirs] = [await open(user), await open(user), await open(other)];
    const participantId = await enter(inside);
    await enter(theirs);
    const recipients = [user.id, other.id];
    gateway.deliver({ recipients, scope: 'meeting:room-1', frame: reaction(participantId) });
    gateway.deliver({ recipients, scope: 'meeting:room-2', frame: reaction(participantId) });
    gateway.deliver({ recipients, frame: { type: 'contacts_changed', data: {} } });
    for (const socket of [inside, elsewhere, theirs]) await socket.next('contacts_changed');
    expect([inside, elsewhere, theirs].map((socket) => seen(socket, 'meeting_reaction').length)).toEqual([1, 0, 1]);
  });

  it('for a participant reach that tab alone', async () => {
    const [first, second] = [await open(user), await open(user)];
    const firstId = await enter(first);
    const secondId = await enter(second);
    const frame = { type: 'media_moved', data: { roomCode, participantId: firstId } };
    gateway.deliver({ recipients: [user.id], scope: firstId, frame });
    // Whoever guesses the id of another's participant is not sent what is for it.
    gateway.deliver({ recipients: [other.id], scope: secondId, frame });
    gateway.deliver({ recipients: [user.id], frame: { type: 'contacts_changed', data: {} } });
    await Promise.all([first.next('contacts_changed'), second.next('contacts_changed')]);
    expect([seen(first, 'media_moved').length, seen(second, 'media_moved').length]).toEqual([1, 0]);
  });

  it('for the room do not reach who waits in the lobby, until they are let in', async () => {
    const { answers } = gateway.meetings;
    const letIn = answers.enter;
    answers.enter = (participant) => ({ ...letIn(participant), state: 'waiting' });
    const socket = await open(user);
    const participantId = await enter(socket);
    const tell = () => {
      gateway.deliver({ recipients: [user.id], scope: 'meeting:room-1', frame: reaction(participantId) });
      const data = { roomCode, participantId };
      gateway.deliver({ recipients: [user.id], scope: participantId, frame: { type: 'meeting_admitted', data } });
    };
    tell();
    await socket.next('meeting_admitted');
    expect(seen(socket, 'meeting_reaction')).toEqual([]);
    answers.enter = letIn;
    expect(await enter(socket, { participantId })).toBe(participantId);
    tell();
    await socket.next('meeting_admitted');
    expect(seen(socket, 'meeting_reaction')).toHaveLength(1);
  });

  it.each([
    ['meeting_ended', 'meeting:room-1', {}],
    ['meeting_denied', 'participant', {}],
    ['meeting_asked', 'participant', { what: 'removed' }],
  ])('%s is the last of the room for whom it is for', async (type, scope, data) => {
    const socket = await open(user);
    const participantId = await enter(socket);
    const wanted = scope === 'participant' ? participantId : scope;
    const frame = { type, data: { roomCode, participantId, ...data } };
    gateway.deliver({ recipients: [user.id], scope: wanted, frame });
    gateway.deliver({ recipients: [user.id], scope: 'meeting:room-1', frame: reaction(participantId) });
    gateway.deliver({ recipients: [user.id], frame: { type: 'contacts_changed', data: {} } });
    await socket.next('contacts_changed');
    expect(seen(socket, type)).toHaveLength(1);
    expect(seen(socket, 'meeting_reaction')).toEqual([]);
  });

  it('stop with leave_meeting, which goes to the service once', async () => {
    const socket = await open(user);
    const [first, second] = [await enter(socket), await enter(socket)];
    await socket.request('leave_meeting', { roomCode, participantId: first });
    expect(last('leave')).toEqual({ actorId: user.id, participantId: first });
    await socket.request('leave_meeting', { roomCode, participantId: first });
    expect(gateway.meetings.asked.filter(({ name }) => name === 'leave')).toHaveLength(1);
    // The other participant of the same tab is still inside.
    gateway.deliver({ recipients: [user.id], scope: 'meeting:room-1', frame: reaction(second) });
    await socket.next('meeting_reaction');
    await socket.request('leave_meeting', { roomCode, participantId: second });
    gateway.deliver({ recipients: [user.id], scope: 'meeting:room-1', frame: reaction(second) });
    gateway.deliver({ recipients: [user.id], frame: { type: 'contacts_changed', data: {} } });
    await socket.next('contacts_changed');
    expect(seen(socket, 'meeting_reaction')).toHaveLength(1);
  });

  it('stop for whoever leaves after having done all that they may for now', async () => {
    const socket = await open(user);
    const participantId = await enter(socket);
    const spent = socket.next('error', ({ code }) => code === 'rate_limited');
    const twice = (2 * socketLimits.costPerUser.burst) / socketEventLimits.media_join.cost;
    for (let asked = 0; asked < twice; asked += 1) {
      socket.send('media_join', { roomCode, participantId, rtpCapabilities });
    }
    await spent;
    expect(await socket.request('leave_meeting', { roomCode, participantId })).toMatchObject({ type: 'ack' });
    expect(last('leave')).toEqual({ actorId: user.id, participantId });
  });

  it("do not come with another's participant, whom nobody makes leave", async () => {
    const [mine, theirs] = [await open(user), await open(other)];
    const participantId = await enter(theirs);
    expect(await mine.request('leave_meeting', { roomCode, participantId })).toMatchObject({ type: 'ack' });
    expect(last('leave')).toBeUndefined();
  });
});

describe('the gateway vouches for its participants', () => {
  interface Renewal {
    gatewayId: string;
    participantIds: string[];
    lostParticipantIds: string[];
  }
  const renewals = () =>
    gateway.meetings.asked.filter(({ name }) => name === 'renewParticipants').map(({ request }) => request as Renewal);

  it('again and again, until they leave', async () => {
    const socket = await open(user);
    const participantId = await enter(socket);
    await eventually(
      () => renewals().filter(({ participantIds }) => participantIds.includes(participantId)).length >= 2,
      { timeoutMs: 20_000 },
    );
    expect(renewals().every(({ gatewayId }) => gatewayId === gateway.replicaId)).toBe(true);
    await socket.request('leave_meeting', { roomCode, participantId });
    const another = await enter(socket);
    // Not any one: what was asked before may arrive only now.
    const renewal = await eventually(() => renewals().find(({ participantIds }) => participantIds.includes(another)), {
      timeoutMs: 20_000,
    });
    expect(renewal.participantIds).not.toContain(participantId);
  });

  it('tells at once when a socket is gone', async () => {
    const socket = await open(user);
    const participantId = await enter(socket);
    socket.cut();
    await eventually(() => renewals().some(({ lostParticipantIds }) => lostParticipantIds.includes(participantId)));
  });

  it('does not call lost who came back on another socket before the first was missed', async () => {
    const [before, after] = [await open(user), await open(user)];
    const participantId = await enter(before);
    expect(await enter(after, { participantId })).toBe(participantId);
    before.cut();
    await eventually(() => renewals().some(({ participantIds }) => participantIds.includes(participantId)), {
      timeoutMs: 20_000,
    });
    expect(renewals().flatMap(({ lostParticipantIds }) => lostParticipantIds)).not.toContain(participantId);
    const frame = { type: 'media_moved', data: { roomCode, participantId } };
    gateway.deliver({ recipients: [user.id], scope: participantId, frame });
    await after.next('media_moved');
  });

  it('tells a socket whose participant is unknown, so that the client joins again', async () => {
    const socket = await open(user);
    const participantId = await enter(socket);
    gateway.meetings.known.delete(participantId);
    const left = await socket.next('meeting_participant_left', () => true, 20_000);
    expect(left.data).toEqual({ roomCode, participantId, reason: 'lost' });
    const again = await enter(socket, { participantId });
    expect(again).toBe(participantId);
    await eventually(() => renewals().at(-1)?.participantIds.includes(participantId), { timeoutMs: 20_000 });
    expect(seen(socket, 'meeting_participant_left')).toHaveLength(1);
  });
});
