import { randomUUID } from 'node:crypto';
import { eventually, followEvents } from '@nolo/testing';
import { aSetStateRequest } from '@nolo/testing/protos';
import { participantIdOf, meetingsErrorKindAndCode, startMeetings, type TestMeetings } from './startMeetings.ts';

let nolo: TestMeetings;
let [owner, ben, stranger] = ['', '', ''];
let groupId = '';
let group: { roles: Map<string, string>; allowScreenShare: boolean; allowRecording: boolean };

beforeAll(async () => {
  nolo = await startMeetings();
});
afterAll(() => nolo.stop());
beforeEach(async () => {
  [owner, ben, stranger] = [await nolo.person(), await nolo.person(), await nolo.person()];
  groupId = randomUUID();
  group = {
    roles: new Map([
      [owner, 'owner'],
      [ben, 'member'],
    ]),
    allowScreenShare: true,
    allowRecording: false,
  };
  nolo.chat.groups.set(groupId, group);
});

const open = (actorId: string) => nolo.meetings.openGroupRoom({ actorId, conversationId: groupId, callees: [] });
const readMeeting = (actorId: string, roomCode: string) => nolo.meetings.getMeeting({ actorId, roomCode, address: '' });
const share = (actorId: string, participantId: string) =>
  nolo.rooms.setState(aSetStateRequest({ actorId, participantId, screen: true }));

test('a group has one room at a time, with its name and chat, no matter who starts it', async () => {
  const rooms = await Promise.all([open(owner), open(ben), open(owner), open(ben)]);
  expect(new Set(rooms.map(({ id }) => id)).size).toBe(1);
  expect(rooms[0]).toMatchObject({ name: 'Walkers', conversationId: groupId });
  expect(await meetingsErrorKindAndCode(open(stranger))).toBe('not_found conversation_not_found');
});

test('members enter directly, owner and admins as hosts, and nobody else at all', async () => {
  const { roomCode } = await open(ben);
  expect(await nolo.enter(ben, roomCode)).toMatchObject({ state: 'joined', participant: { role: 'participant' } });
  expect(await nolo.enter(owner, roomCode)).toMatchObject({ state: 'joined', participant: { role: 'host' } });
  expect(await meetingsErrorKindAndCode(nolo.enter(stranger, roomCode))).toBe('not_found meeting_not_found');
  expect(await meetingsErrorKindAndCode(readMeeting(stranger, roomCode))).toBe('not_found meeting_not_found');
});

test('someone who left the group cannot return, and a new admin enters as a host', async () => {
  const { roomCode } = await open(owner);
  await nolo.enter(owner, roomCode);
  const participantId = participantIdOf(await nolo.enter(ben, roomCode));
  await nolo.rooms.leave({ actorId: ben, participantId });
  group.roles.delete(ben);
  expect(await meetingsErrorKindAndCode(nolo.enter(ben, roomCode))).toBe('not_found meeting_not_found');
  group.roles.set(ben, 'admin');
  expect(await nolo.enter(ben, roomCode)).toMatchObject({ participant: { role: 'host' } });
});

test('screen sharing and recording follow the current group settings', async () => {
  const { roomCode } = await open(owner);
  await nolo.enter(owner, roomCode);
  const bens = participantIdOf(await nolo.enter(ben, roomCode));
  await share(ben, bens);
  group.allowScreenShare = false;
  expect(await meetingsErrorKindAndCode(share(ben, bens))).toBe('forbidden screen_share_refused');
  group.allowRecording = true;
  await eventually(async () => (await readMeeting(owner, roomCode)).settings?.allowRecording === true);
  expect((await readMeeting(ben, roomCode)).settings).toMatchObject({ allowScreenShare: false, allowRecording: true });
});

const leavesGroup = (userId: string) =>
  nolo.publishEvent('event.chat.member_left', { conversationId: groupId, userId, reason: 'removed' }, randomUUID());

test('someone who leaves the group is removed from its room in every tab; a returning member stays', async () => {
  const cleo = await nolo.person();
  group.roles.set(cleo, 'member');
  const { roomCode } = await open(owner);
  await nolo.enter(owner, roomCode);
  const cleos = participantIdOf(await nolo.enter(cleo, roomCode));
  const bens = [participantIdOf(await nolo.enter(ben, roomCode)), participantIdOf(await nolo.enter(ben, roomCode))];
  const removals = (userId: string) =>
    nolo.framesTo(userId, 'meeting_asked').flatMap(({ data }) => (data['what'] === 'removed' ? [data] : []));

  // Events are handled in order, so her removal shows that the earlier, outdated event for him was handled without
  // removing him.
  await leavesGroup(ben);
  group.roles.delete(cleo);
  await leavesGroup(cleo);
  await eventually(() => removals(cleo).length === 1);
  expect(removals(cleo)).toMatchObject([{ roomCode, participantId: cleos }]);
  expect(removals(ben)).toEqual([]);

  group.roles.delete(ben);
  await nolo.publishEvent('event.chat.member_left', 'nonsense', randomUUID(), 'nonsense');
  await leavesGroup(ben);
  await eventually(() => removals(ben).length === 2);
  expect(removals(ben).map(({ participantId }) => participantId)).toEqual(expect.arrayContaining(bens));
  await eventually(
    () =>
      nolo.framesTo(owner, 'meeting_participant_left').filter(({ data }) => data['reason'] === 'removed').length === 3,
  );
  for (const participantId of bens) {
    expect(await meetingsErrorKindAndCode(share(ben, participantId))).toBe('not_found participant_unknown');
    expect(await meetingsErrorKindAndCode(nolo.enter(ben, roomCode, { participantId }))).toBe(
      'not_found meeting_not_found',
    );
  }
  expect((await readMeeting(owner, roomCode)).status).toBe('live');
  // A host did not remove them from the room, so a returning member may join its calls.
  group.roles.set(ben, 'member');
  expect(await nolo.enter(ben, roomCode)).toMatchObject({ state: 'joined' });
});

test('the group is notified of the start and duration of a call, once each', async () => {
  const callEvents: Record<string, unknown>[] = [];
  const end = await followEvents(nolo.db, ['event.meetings.group_call_changed'], ({ data }) => {
    const one = data as Record<string, unknown>;
    if (one['groupId'] === groupId) callEvents.push(one);
  });
  const { roomCode } = await open(ben);
  const at = nolo.clock.now().toISOString();
  const both = await Promise.all([owner, ben].map((userId) => nolo.enter(userId, roomCode)));
  await eventually(() => callEvents.length === 1);
  expect(callEvents[0]).toMatchObject({ groupId, changedAt: at, durationSeconds: null });
  expect([owner, ben]).toContain(callEvents[0]?.['startedBy']);

  nolo.clock.advance(90_000);
  for (const [index, actorId] of [owner, ben].entries()) {
    await nolo.rooms.leave({ actorId, participantId: participantIdOf(both[index]!) });
  }
  await eventually(() => callEvents.length === 2);
  expect(callEvents[1]).toEqual({ ...callEvents[0], changedAt: nolo.clock.now().toISOString(), durationSeconds: 90 });

  // A person who returns at once continues the call.
  nolo.clock.advance(60_000);
  const back = participantIdOf(await nolo.enter(owner, roomCode));
  await eventually(() => callEvents.length === 3);
  expect(callEvents[2]).toMatchObject({ callId: callEvents[0]?.['callId'], durationSeconds: null });
  await nolo.rooms.leave({ actorId: owner, participantId: back });
  await eventually(() => callEvents.length === 4);
  expect(callEvents[3]).toMatchObject({ callId: callEvents[0]?.['callId'], durationSeconds: 150 });

  nolo.clock.advance(600_000);
  await nolo.enter(owner, roomCode);
  await eventually(() => callEvents.length === 5);
  expect(callEvents[4]?.['callId']).not.toBe(callEvents[0]?.['callId']);
  nolo.clock.advance(5_000);
  await nolo.meetings.endMeeting({ actorId: owner, roomCode, address: '' });
  await eventually(() => callEvents.length === 6);
  expect(callEvents[5]).toMatchObject({ callId: callEvents[4]?.['callId'], startedBy: owner, durationSeconds: 5 });
  end();
});
