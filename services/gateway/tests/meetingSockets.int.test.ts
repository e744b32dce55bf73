import { randomUUID } from 'node:crypto';
import { limits, socketEventLimits, socketLimits } from '@nolo/rules';
import { eventually, type TestSocket, type TestUser } from '@nolo/testing';
import { aCall, aMeeting } from '@nolo/testing/protos';
import { startGateway, type TestGateway } from './startGateway.ts';

let gateway: TestGateway;
let user: TestUser;
let other: TestUser;

const rtpCapabilities = { codecs: [] };
const roomCode = 'ABC234';

beforeAll(async () => {
  gateway = await startGateway();
});
beforeEach(async () => {
  // Joining is expensive, and all these tests together exceed what one user may do at once.
  [user, other] = [await gateway.signUp(), await gateway.signUp()];
  const { answers, asked: requests } = gateway.meetings;
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
  requests.length = 0;
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

/** Joins and returns the participant ID. */
async function enter(socket: TestSocket, data: Record<string, unknown> = {}): Promise<string> {
  const { type, data: joined } = await socket.request('join_meeting', { roomCode, ...data });
  expect(type).toBe('ack');
  return joined['participant'].id as string;
}

/** Returns a socket's frames of this type so far. */
const seen = (socket: TestSocket, type: string) => socket.frames.filter((frame) => frame.type === type);

describe('join_meeting', () => {
  it('is prepared by reserving transports on the pre-join page, and then knows the name', async () => {
    await user.api.put('/api/profile', { firstName: 'Ursula', lastName: 'Le Guin' });
    const socket = await open(user);
    const dtlsParameters = { role: 'client', fingerprints: [] };
    const rtpCapabilities = { codecs: [] };
    const eventData = { roomCode: ' abc 234', attemptId: randomUUID(), dtlsParameters, rtpCapabilities };
    const { data } = await socket.request('media_reserve', eventData);
    expect(data).toMatchObject({ media: { nodeId: 'node-1', consumers: [] }, goodForMs: 60_000 });
    const dtlsParametersJson = JSON.stringify(dtlsParameters);
    const reservation = { actorId: user.id, roomCode, attemptId: eventData.attemptId, dtlsParametersJson };
    expect(last('reserve')).toMatchObject({ ...reservation, rtpCapabilitiesJson: JSON.stringify(rtpCapabilities) });
    const claim = { preparedNodeId: 'node-1', readyConsumerIds: ['made ahead'] };
    for (const _ of ['foreseen', 'looked up']) {
      await enter(socket, { attemptId: eventData.attemptId, dtlsParameters, ...claim });
      expect(last('enter')).toMatchObject({ ...reservation, name: 'Ursula Le Guin', ...claim });
    }
    const readyConsumerIds = Array.from({ length: limits.preparedConsumers + 1 }, (_, n) => `consumer ${n}`);
    const tooMany = await socket.request('join_meeting', { roomCode, readyConsumerIds });
    expect(tooMany.data).toMatchObject({ code: 'invalid_input' });
    const nothing = await socket.request('media_reserve', { roomCode, dtlsParameters });
    expect(nothing.data).toEqual({ media: null, goodForMs: 0 });
  });

  it('lets one socket join up to four rooms, and rejoin each', async () => {
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

it('two sockets of one session count as one device in a call if the client names none', async () => {
  const simple = { targetUserId: other.id, signalData: { candidate: 'x' } };
  await (await open(user)).request('webrtc_signal', simple);
  const first = last('signal');
  expect(first).toMatchObject({ callId: undefined, deviceId: expect.stringMatching(/./) });
  await (await open(user)).request('webrtc_signal', simple);
  expect(last('signal')).toEqual(first);
});

describe('frames of a meeting', () => {
  const reaction = (participantId: string) => ({
    type: 'meeting_reaction',
    data: { roomCode, participantId, reaction: '🎉' },
  });

  it('reach only the tabs inside the room, not others of the same person', async () => {
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

  it('sent during a join arrive after the answer, and those for other rooms do not', async () => {
    const socket = await open(user);
    const { enter: answer } = gateway.meetings.answers;
    gateway.meetings.answers.enter = async (participant) => {
      const recipients = [user.id];
      const left = {
        type: 'meeting_participant_left',
        data: { roomCode, participantId: randomUUID(), reason: 'left' },
      };
      gateway.deliver({ recipients, scope: 'meeting:room-1', frame: left });
      gateway.deliver({ recipients, scope: 'meeting:room-2', frame: left });
      gateway.deliver({ recipients, scope: participant.id, frame: reaction(participant.id) });
      gateway.deliver({ recipients, frame: { type: 'contacts_changed', data: {} } });
      await socket.next('contacts_changed');
      expect(seen(socket, 'meeting_participant_left')).toEqual([]);
      return answer(participant);
    };
    await enter(socket);
    await eventually(() => seen(socket, 'meeting_reaction').length === 1);
    expect(seen(socket, 'meeting_participant_left')).toHaveLength(1);
    const types = socket.frames.map(({ type }) => type);
    expect(types.slice(types.indexOf('ack'))).toEqual(['ack', 'meeting_participant_left', 'meeting_reaction']);
  });

  it('reach only the tab of their participant', async () => {
    const [first, second] = [await open(user), await open(user)];
    const firstId = await enter(first);
    const secondId = await enter(second);
    const frame = { type: 'media_moved', data: { roomCode, participantId: firstId } };
    gateway.deliver({ recipients: [user.id], scope: firstId, frame });
    // Guessing another user's participant ID does not deliver that participant's frames.
    gateway.deliver({ recipients: [other.id], scope: secondId, frame });
    gateway.deliver({ recipients: [user.id], frame: { type: 'contacts_changed', data: {} } });
    await Promise.all([first.next('contacts_changed'), second.next('contacts_changed')]);
    expect([seen(first, 'media_moved').length, seen(second, 'media_moved').length]).toEqual([1, 0]);
  });

  it.each([
    ['meeting_ended', 'meeting:room-1', {}],
    ['meeting_denied', 'participant', {}],
    ['meeting_asked', 'participant', { what: 'removed' }],
  ])('%s is the last frame of the room for its recipient', async (type, scope, data) => {
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

  it('stop with leave_meeting, which is sent to the service once', async () => {
    const socket = await open(user);
    const [first, second] = [await enter(socket), await enter(socket)];
    await socket.request('leave_meeting', { roomCode, participantId: first });
    expect(last('leave')).toEqual({ actorId: user.id, participantId: first });
    await socket.request('leave_meeting', { roomCode, participantId: first });
    expect(gateway.meetings.asked.filter(({ name }) => name === 'leave')).toHaveLength(1);
    // The other participant of the same tab is still in the meeting.
    gateway.deliver({ recipients: [user.id], scope: 'meeting:room-1', frame: reaction(second) });
    await socket.next('meeting_reaction');
    await socket.request('leave_meeting', { roomCode, participantId: second });
    gateway.deliver({ recipients: [user.id], scope: 'meeting:room-1', frame: reaction(second) });
    gateway.deliver({ recipients: [user.id], frame: { type: 'contacts_changed', data: {} } });
    await socket.next('contacts_changed');
    expect(seen(socket, 'meeting_reaction')).toHaveLength(1);
  });

  it('stop even for someone who leaves after exhausting their limit', async () => {
    const socket = await open(user);
    const participantId = await enter(socket);
    const spent = socket.next('error', ({ code }) => code === 'rate_limited');
    const twice = (2 * socketLimits.costPerUser.burst) / socketEventLimits.media_join.cost;
    for (let attempt = 0; attempt < twice; attempt += 1) {
      socket.send('media_join', { roomCode, participantId, rtpCapabilities });
    }
    await spent;
    expect(await socket.request('leave_meeting', { roomCode, participantId })).toMatchObject({ type: 'ack' });
    expect(last('leave')).toEqual({ actorId: user.id, participantId });
  });
});

describe('the gateway', () => {
  interface Renewal {
    gatewayId: string;
    participantIds: string[];
    lostParticipantIds: string[];
  }
  const renewals = () =>
    gateway.meetings.asked.filter(({ name }) => name === 'renewParticipants').map(({ request }) => request as Renewal);

  it('renews its participants repeatedly, until they leave', async () => {
    const socket = await open(user);
    const participantId = await enter(socket);
    await eventually(
      () => renewals().filter(({ participantIds }) => participantIds.includes(participantId)).length >= 2,
    );
    expect(renewals().every(({ gatewayId }) => gatewayId === gateway.replicaId)).toBe(true);
    await socket.request('leave_meeting', { roomCode, participantId });
    const another = await enter(socket);
    // Matches a specific renewal, because earlier ones may arrive only now.
    const renewal = await eventually(() => renewals().find(({ participantIds }) => participantIds.includes(another)), {
      timeoutMs: 20_000,
    });
    expect(renewal.participantIds).not.toContain(participantId);
  });

  it('reports immediately when a socket is gone', async () => {
    const socket = await open(user);
    const participantId = await enter(socket);
    socket.cut();
    await eventually(() => renewals().some(({ lostParticipantIds }) => lostParticipantIds.includes(participantId)));
  });

  it('does not report as lost a person who returned on another socket in time', async () => {
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

  it('notifies a socket whose participant is unknown, so that the client rejoins', async () => {
    const socket = await open(user);
    const participantId = await enter(socket);
    gateway.meetings.known.delete(participantId);
    const left = await socket.next('meeting_participant_left');
    expect(left.data).toEqual({ roomCode, participantId, reason: 'lost' });
    const secondParticipantId = await enter(socket, { participantId });
    expect(secondParticipantId).toBe(participantId);
    await eventually(() => renewals().at(-1)?.participantIds.includes(participantId));
    expect(seen(socket, 'meeting_participant_left')).toHaveLength(1);
  });
});
