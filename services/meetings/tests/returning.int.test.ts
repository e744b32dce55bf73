import type { Meeting } from '@nolo/proto/meetings';
import { eventually } from '@nolo/testing';
import { aSetStateRequest, anInitiateCallRequest, anUpdateMeetingRequest } from '@nolo/testing/protos';
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
  nolo = await startMeetings({ allowance: { participants: 10, minutes: 40 } });
  node = await nolo.startNode();
});
afterAll(() => nolo.stop());
beforeEach(async () => {
  [host, ben, carol] = [await nolo.person(), await nolo.person(), await nolo.person()];
  nolo.frames.length = 0;
  node.requests.length = 0;
});

const withMedia = { rtpCapabilitiesJson: testCapabilities };
const raiseHand = (actorId: string, participantId: string) =>
  nolo.rooms.setState(aSetStateRequest({ actorId, participantId, video: true, hand: true }));

/** Expires a participant's lease, as after a longer outage, and waits until everyone else is notified. */
async function lose(participantId: string): Promise<void> {
  await nolo.redis.zadd('participants', 0, participantId);
  await eventually(async () => (await nolo.redis.zscore('away', participantId)) !== null);
  const unknown = await nolo.rooms.renewParticipants({
    gatewayId,
    participantIds: [participantId],
    lostParticipantIds: [],
  });
  expect(unknown.unknownParticipantIds).toEqual([participantId]);
}

const insideOf = async (meeting: Meeting) =>
  (await nolo.meetings.getMeeting({ actorId: host, roomCode: meeting.roomCode, address: '' })).participantCount;

test('someone returning after an outage keeps their identity, bypasses the lobby, and was not shown meanwhile', async () => {
  const meeting = await nolo.meeting(host, { waitingRoom: true });
  participantIdOf(await nolo.enter(host, meeting.roomCode, withMedia));
  const { token } = await nolo.meetings.createInvite({ actorId: host, roomCode: meeting.roomCode, address: '' });
  const first = await nolo.enter(ben, meeting.roomCode, { ...withMedia, inviteToken: token });
  const participantId = participantIdOf(first);
  const raised = await raiseHand(ben, participantId);
  await lose(participantId);
  expect(await insideOf(meeting)).toBe(1);
  const left = await eventually(() => nolo.framesTo(host, 'meeting_participant_left')[0]);
  expect(left.data).toMatchObject({ participantId, reason: 'lost' });
  // The host locks the meeting meanwhile, and the invite is not required again.
  const { roomCode } = meeting;
  await nolo.meetings.updateMeeting(anUpdateMeetingRequest({ actorId: host, roomCode, locked: true }));

  const back = await nolo.enter(ben, meeting.roomCode, { ...withMedia, participantId });
  expect(back).toMatchObject({
    state: 'joined',
    participant: {
      id: participantId,
      hasVideo: true,
      handRaisedAt: raised.handRaisedAt,
      joinedAt: first.participant?.joinedAt,
    },
    media: { nodeId: node.nodeId },
  });
  const joined = await eventually(
    () => nolo.framesTo(host, 'meeting_participant_joined').filter(({ data }) => sameId(data, participantId))[1],
  );
  expect(joined.data['participant']).toMatchObject({ id: participantId, isHandRaised: true });
  expect(await nolo.redis.zscore('away', participantId)).toBeNull();
});

const sameId = (data: Record<string, unknown>, id: string) => (data['participant'] as { id: string }).id === id;

test('a person returns as a new participant after two minutes, and nobody returns as someone else', async () => {
  const meeting = await nolo.meeting(host);
  await nolo.enter(host, meeting.roomCode);
  const participantId = participantIdOf(await nolo.enter(ben, meeting.roomCode));
  await lose(participantId);
  expect(participantIdOf(await nolo.enter(carol, meeting.roomCode, { participantId }))).not.toBe(participantId);
  const other = await nolo.meeting(host);
  expect(participantIdOf(await nolo.enter(ben, other.roomCode, { participantId }))).not.toBe(participantId);
  // The time is up even while a sweep handles them and has not deleted them yet.
  await nolo.redis.pexpire(`away:${participantId}`, 60_000);
  expect(await nolo.redis.zscore('away', participantId)).not.toBeNull();
  expect(participantIdOf(await nolo.enter(ben, meeting.roomCode, { participantId }))).not.toBe(participantId);
  await nolo.redis.zadd('away', 0, participantId);
  await eventually(async () => (await nolo.redis.zscore('away', participantId)) === null);
});

test('a removed person cannot return by having been lost', async () => {
  const meeting = await nolo.meeting(host);
  await nolo.enter(host, meeting.roomCode);
  const participantId = participantIdOf(await nolo.enter(ben, meeting.roomCode));
  const tab = participantIdOf(await nolo.enter(ben, meeting.roomCode));
  await lose(participantId);
  await nolo.rooms.moderate({
    actorId: host,
    roomCode: meeting.roomCode,
    participantId: tab,
    action: 'remove',
    userId: '',
  });
  expect(await meetingsErrorKindAndCode(nolo.enter(ben, meeting.roomCode, { participantId }))).toBe(
    'forbidden removed',
  );
});

test('a meeting that lost everyone continues its time', async () => {
  const meeting = await nolo.meeting(host);
  const ids = new Map<string, string>();
  for (const who of [host, ben, carol]) ids.set(who, participantIdOf(await nolo.enter(who, meeting.roomCode)));
  const before = await nolo.meetings.getMeeting({ actorId: host, roomCode: meeting.roomCode, address: '' });
  expect(before.endsAt).toEqual(new Date(nolo.clock.now().getTime() + 40 * 60_000));
  nolo.clock.advance(60_000);
  for (const id of ids.values()) await lose(id);
  await eventually(
    async () =>
      (await nolo.meetings.getMeeting({ actorId: host, roomCode: meeting.roomCode, address: '' })).status ===
      'completed',
  );
  nolo.clock.advance(60_000);
  for (const [who, participantId] of ids) {
    expect(participantIdOf(await nolo.enter(who, meeting.roomCode, { participantId }))).toBe(participantId);
  }
  const after = await nolo.meetings.getMeeting({ actorId: host, roomCode: meeting.roomCode, address: '' });
  expect(after).toMatchObject({ status: 'live', startedAt: before.startedAt, endsAt: before.endsAt });
});

describe('a call', () => {
  const relayed = async () => {
    const device = (userId: string) => `phone-${userId.slice(0, 8)}`;
    const call = await nolo.calls.initiateCall(
      anInitiateCallRequest({ actorId: host, calleeId: ben, deviceId: device(host) }),
    );
    await nolo.calls.answerCall({ actorId: ben, callId: call.id, deviceId: device(ben) });
    return call;
  };

  test('continues for someone who was lost and returns, and ends for someone who stays away', async () => {
    const call = await relayed();
    await nolo.enter(host, call.id);
    const participantId = participantIdOf(await nolo.enter(ben, call.id));
    const status = async () => (await nolo.calls.getCall({ actorId: host, callId: call.id, deviceId: '' })).status;
    await lose(participantId);
    expect(await status()).toBe('connecting');
    expect(participantIdOf(await nolo.enter(ben, call.id, { participantId }))).toBe(participantId);
    await lose(participantId);
    await nolo.redis.zadd('away', 0, participantId);
    await eventually(async () => (await status()) === 'ended');
  });
});
