import { randomUUID } from 'node:crypto';
import { eventually, followEvents } from '@nolo/testing';
import { anInitiateCallRequest } from '@nolo/testing/protos';
import { participantIdOf, meetingsErrorKindAndCode, startMeetings, type TestMeetings } from './startMeetings.ts';

let nolo: TestMeetings;
let [owner, ben, cleo] = ['', '', ''];
let groupId = '';

beforeAll(async () => {
  nolo = await startMeetings();
});
afterAll(() => nolo.stop());
beforeEach(async () => {
  [owner, ben, cleo] = [await nolo.person(), await nolo.person(), await nolo.person()];
  groupId = randomUUID();
  const roles = new Map([owner, ben, cleo].map((userId) => [userId, userId === owner ? 'owner' : 'member']));
  nolo.chat.groups.set(groupId, { roles, allowScreenShare: true, allowRecording: false });
});

const callee = (userId: string, callsFrom = 'everyone', more: { isContact?: boolean; isAccepted?: boolean } = {}) => ({
  userId,
  callsFrom,
  ...more,
});
const start = (
  actorId: string,
  callees = [owner, ben, cleo].filter((one) => one !== actorId).map((one) => callee(one)),
) => nolo.meetings.openGroupRoom({ actorId, conversationId: groupId, type: 'video', callees });
const ringsFor = async (actorId: string) => (await nolo.meetings.listGroupRings({ actorId })).rings;
const readGroupCall = (actorId: string) => nolo.meetings.getGroupCall({ actorId, conversationId: groupId });
const ended = (userId: string) => nolo.framesTo(userId, 'group_call_ring_ended').map(({ data }) => data['reason']);

test("looking up a group's call creates nothing", async () => {
  expect((await readGroupCall(ben)).meeting).toBeUndefined();
  expect(await nolo.db('meetings').where({ group_id: groupId })).toEqual([]);
  expect(await meetingsErrorKindAndCode(readGroupCall(await nolo.person()))).toBe('not_found conversation_not_found');

  const { roomCode } = await start(owner);
  // The room is empty, so there is no call to join.
  expect((await readGroupCall(ben)).meeting).toBeUndefined();
  await nolo.enter(owner, roomCode);
  expect((await readGroupCall(ben)).meeting).toMatchObject({ roomCode, status: 'live', participantIds: [owner] });
});

test('a call rings on all devices of the members, and stops where they answer or decline', async () => {
  const ringEvents: Record<string, unknown>[] = [];
  const end = await followEvents(
    nolo.db,
    ['event.meetings.group_call_rang', 'event.meetings.group_call_ring_ended'],
    ({ subject, data }) => {
      const one = data as Record<string, unknown>;
      if (one['conversationId'] === groupId) ringEvents.push({ subject: subject.split('_').at(-1), ...one });
    },
  );
  const { roomCode } = await start(owner);
  const [ring] = await ringsFor(ben);
  expect(ring).toMatchObject({ conversationId: groupId, roomCode, callerId: owner, type: 'video' });
  expect(ring?.since).toEqual(nolo.clock.now());
  await eventually(() => nolo.framesTo(ben, 'group_call_ringing').length === 1);
  expect(nolo.framesTo(ben, 'group_call_ringing')[0]?.data).toMatchObject({ callId: ring?.callId, groupId, roomCode });
  expect(await ringsFor(owner)).toEqual([]);

  await nolo.enter(owner, roomCode);
  await nolo.enter(ben, roomCode);
  await eventually(() => ended(ben).length === 1);
  expect(ended(ben)).toEqual(['answered']);
  expect(await ringsFor(cleo)).toHaveLength(1);
  await nolo.meetings.declineGroupCall({ actorId: cleo, conversationId: groupId });
  await nolo.meetings.declineGroupCall({ actorId: cleo, conversationId: groupId });
  await eventually(() => ended(cleo).length === 1);
  expect(ended(cleo)).toEqual(['declined']);
  expect(await ringsFor(cleo)).toEqual([]);
  await eventually(() => ringEvents.length === 4);
  expect(ringEvents.map(({ subject, userId, reason }) => [subject, userId, reason])).toEqual(
    expect.arrayContaining([
      ['rang', ben, undefined],
      ['rang', cleo, undefined],
      ['ended', ben, 'answered'],
      ['ended', cleo, 'declined'],
    ]),
  );
  end();
});

test('a call rings only for members who accept calls from the caller and are not in another call', async () => {
  const callees = [
    callee(ben, 'nobody', { isContact: true }),
    callee(cleo, 'contacts'),
    callee(await nolo.person(), 'contacts', { isAccepted: true }),
    callee(await nolo.person(), 'contacts', { isContact: true }),
  ];
  const busy = callees[3]!.userId;
  await nolo.calls.initiateCall(anInitiateCallRequest({ actorId: busy, calleeId: await nolo.person() }));
  await start(owner, callees);
  const rung = await Promise.all(callees.map(async ({ userId }) => (await ringsFor(userId)).length));
  expect(rung).toEqual([0, 0, 1, 0]);
});

test('starting a call that already exists answers it, and it does not ring again', async () => {
  const { roomCode } = await start(owner);
  await start(ben);
  expect(await ringsFor(ben)).toEqual([]);
  expect(await ringsFor(owner)).toEqual([]);
  await nolo.enter(owner, roomCode);
  await nolo.meetings.declineGroupCall({ actorId: cleo, conversationId: groupId });
  await start(ben);
  expect(await ringsFor(cleo)).toEqual([]);
});

test('a call does not ring again within 45 seconds for someone who declined it', async () => {
  const dora = await nolo.person();
  nolo.chat.groups.get(groupId)?.roles.set(dora, 'member');
  const { roomCode } = await start(owner);
  for (const actorId of [ben, cleo]) await nolo.meetings.declineGroupCall({ actorId, conversationId: groupId });
  const all = [ben, cleo, dora].map((one) => callee(one));
  await start(owner, all);
  expect(await Promise.all([ben, cleo, dora].map(async (one) => (await ringsFor(one)).length))).toEqual([0, 0, 1]);
  // Entering and leaving does not help either.
  const participantId = participantIdOf(await nolo.enter(owner, roomCode));
  await nolo.rooms.leave({ actorId: owner, participantId });
  await eventually(async () => (await ringsFor(dora)).length === 0);
  await start(owner, [callee(ben)]);
  expect(await ringsFor(ben)).toEqual([]);
  nolo.clock.advance(45_000);
  await eventually(async () => {
    await start(owner, [callee(ben)]);
    return (await ringsFor(ben)).length === 1;
  });
  await eventually(() => ended(dora).length === 1);
  expect([ended(ben), ended(cleo), ended(dora)]).toEqual([['declined'], ['declined'], ['missed']]);
});

test('a removed person cannot make calls ring, and deleted accounts are not rung', async () => {
  const { roomCode } = await start(owner, []);
  const participantId = participantIdOf(await nolo.enter(owner, roomCode));
  await nolo.enter(ben, roomCode);
  await nolo.rooms.moderate({ actorId: owner, roomCode, participantId: '', userId: ben, action: 'remove' });
  await nolo.rooms.leave({ actorId: owner, participantId });
  expect(await meetingsErrorKindAndCode(start(ben))).toBe('forbidden removed');
  expect(await ringsFor(cleo)).toEqual([]);
  await start(owner, [callee(cleo)]);
  await nolo.deleteUser(cleo);
  await eventually(() => ended(cleo).length === 1);
  expect(await ringsFor(cleo)).toEqual([]);
});

test('an unanswered call rings for 45 seconds', async () => {
  await start(owner);
  nolo.clock.advance(45_000);
  await eventually(() => ended(ben).length === 1);
  expect(ended(ben)).toEqual(['missed']);
  expect(await ringsFor(cleo)).toEqual([]);
});

test('a call stops ringing when everyone has left it, and for anyone who leaves the group', async () => {
  const { roomCode } = await start(owner);
  const participantId = participantIdOf(await nolo.enter(owner, roomCode));
  nolo.chat.groups.get(groupId)?.roles.delete(cleo);
  await nolo.publishEvent(
    'event.chat.member_left',
    { conversationId: groupId, userId: cleo, reason: 'left' },
    randomUUID(),
  );
  await eventually(() => ended(cleo).length === 1);
  expect(await ringsFor(ben)).toHaveLength(1);
  await nolo.rooms.leave({ actorId: owner, participantId });
  await eventually(() => ended(ben).length === 1);
  expect([ended(ben), ended(cleo)]).toEqual([['missed'], ['missed']]);
});

test('a call of an unknown type is rejected', async () => {
  const request = { actorId: owner, conversationId: groupId, type: 'smoke', callees: [] };
  expect(await meetingsErrorKindAndCode(nolo.meetings.openGroupRoom(request))).toBe('invalid meeting_invalid');
});
