import { randomUUID } from 'node:crypto';
import { eventually } from '@nolo/testing';
import { participantOf, refusalOf, startMeetings, type MeetingsUnderTest } from './meetingsUnderTest.ts';

let nolo: MeetingsUnderTest;
let [owner, ben, stranger] = ['', '', ''];
let groupId = '';
let group: { roles: Map<string, string>; allowScreenShare: boolean; allowRecording: boolean };

beforeAll(async () => {
  nolo = await startMeetings();
}, 120_000);
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

const open = (actorId: string) => nolo.meetings.openGroupRoom({ actorId, conversationId: groupId });
const look = (actorId: string, roomCode: string) => nolo.meetings.getMeeting({ actorId, roomCode, address: '' });
const share = (actorId: string, participantId: string) =>
  nolo.rooms.setState({
    actorId,
    participantId,
    audio: undefined,
    video: undefined,
    screen: true,
    hand: undefined,
  });

test('a group has one room at a time, with its name and its chat, whoever begins', async () => {
  const rooms = await Promise.all([open(owner), open(ben), open(owner), open(ben)]);
  expect(new Set(rooms.map(({ id }) => id)).size).toBe(1);
  expect(rooms[0]).toMatchObject({ name: 'Walkers', conversationId: groupId });
  expect(await refusalOf(open(stranger))).toBe('not_found conversation_not_found');
});

test('members enter directly, owner and admins as hosts, nobody else at all', async () => {
  const { roomCode } = await open(ben);
  expect(await nolo.enter(ben, roomCode)).toMatchObject({ state: 'joined', participant: { role: 'participant' } });
  expect(await nolo.enter(owner, roomCode)).toMatchObject({ state: 'joined', participant: { role: 'host' } });
  expect(await refusalOf(nolo.enter(stranger, roomCode))).toBe('not_found meeting_not_found');
  expect(await refusalOf(look(stranger, roomCode))).toBe('not_found meeting_not_found');
});

test('whoever left the group does not come in again, and whoever became an admin comes in as a host', async () => {
  const { roomCode } = await open(owner);
  await nolo.enter(owner, roomCode);
  const participantId = participantOf(await nolo.enter(ben, roomCode));
  await nolo.rooms.leave({ actorId: ben, participantId });
  group.roles.delete(ben);
  expect(await refusalOf(nolo.enter(ben, roomCode))).toBe('not_found meeting_not_found');
  group.roles.set(ben, 'admin');
  expect(await nolo.enter(ben, roomCode)).toMatchObject({ participant: { role: 'host' } });
});

test('screens are shared and calls recorded as the group allows it now', async () => {
  const { roomCode } = await open(owner);
  await nolo.enter(owner, roomCode);
  const bens = participantOf(await nolo.enter(ben, roomCode));
  await share(ben, bens);
  group.allowScreenShare = false;
  expect(await refusalOf(share(ben, bens))).toBe('forbidden screen_share_refused');
  group.allowRecording = true;
  await eventually(async () => (await look(owner, roomCode)).settings?.allowRecording === true);
  expect((await look(ben, roomCode)).settings).toMatchObject({ allowScreenShare: false, allowRecording: true });
});
