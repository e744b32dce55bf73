import { randomUUID } from 'node:crypto';
import type { Meeting } from '@nolo/proto/meetings';
import { eventually } from '@nolo/testing';
import { participantIdOf, meetingsErrorKindAndCode, startMeetings, type TestMeetings } from './startMeetings.ts';

let nolo: TestMeetings;
let [host, ben] = ['', ''];
let meeting: Meeting;

beforeAll(async () => {
  nolo = await startMeetings();
});
afterAll(() => nolo.stop());
beforeEach(async () => {
  [host, ben] = [await nolo.person(), await nolo.person()];
  meeting = await nolo.meeting(host, { requireAuth: false });
  await nolo.enter(host, meeting.roomCode);
  nolo.frames.length = 0;
});

interface GuestPassRequest {
  name?: string;
  address?: string;
  actorId?: string;
  visitorId?: string;
  at?: Meeting;
}
const createGuestPass = ({
  name = 'Gwen',
  address = randomUUID(),
  actorId = '',
  visitorId = '',
  at = meeting,
}: GuestPassRequest = {}) => nolo.meetings.createGuest({ roomCode: at.roomCode, name, address, actorId, visitorId });
const moderate = (action: string, participantId: string) =>
  nolo.rooms.moderate({ actorId: host, roomCode: meeting.roomCode, participantId, userId: '', action });

/** Creates a guest who asked to join and was admitted. */
async function guestInside(given: GuestPassRequest): Promise<{ id: string; participantId: string }> {
  const { guest } = await createGuestPass(given);
  const id = guest?.id ?? '';
  // Gives them a socket.
  await nolo.leases.add(id);
  const guestRequest = { guestMeetingId: meeting.id, address: given.address ?? '' };
  const waiting = participantIdOf(await nolo.enter(id, meeting.roomCode, guestRequest));
  await moderate('admit', waiting);
  const entry = await nolo.enter(id, meeting.roomCode, { ...guestRequest, participantId: waiting });
  expect(entry.state).toBe('joined');
  return { id, participantId: participantIdOf(entry) };
}

test('a removed guest cannot return under another name or in another tab', async () => {
  const visitorId = randomUUID();
  const [first, tab] = [
    await guestInside({ visitorId, name: 'Gwen', address: 'here' }),
    await guestInside({ visitorId, name: 'Mary', address: 'here' }),
  ];
  await moderate('remove', first.participantId);
  await eventually(() => nolo.framesTo(tab.id, 'meeting_asked').some(({ data }) => data['what'] === 'removed'));
  for (const { id } of [first, tab]) {
    const retry = nolo.enter(id, meeting.roomCode, { guestMeetingId: meeting.id });
    expect(await meetingsErrorKindAndCode(retry)).toBe('forbidden removed');
  }
  expect(await meetingsErrorKindAndCode(createGuestPass({ visitorId, name: 'Somebody else' }))).toBe(
    'forbidden removed',
  );
  // The removal applies to this meeting alone.
  const other = await nolo.meeting(host, { requireAuth: false });
  expect((await createGuestPass({ visitorId, at: other, address: 'here' })).guest?.meetingId).toBe(other.id);
});

test("a removal without the browser's cookie pauses guests from that address for a while", async () => {
  const { participantId } = await guestInside({ visitorId: randomUUID(), address: 'there' });
  await moderate('remove', participantId);
  expect(await meetingsErrorKindAndCode(createGuestPass({ visitorId: randomUUID(), address: 'there' }))).toBe(
    'forbidden guests_paused',
  );
  expect((await createGuestPass({ visitorId: randomUUID(), address: 'elsewhere' })).guest).toBeDefined();
  const [key = ''] = await nolo.redis.keys(`*barred:${meeting.id}:there`);
  expect(await nolo.redis.ttl(key.slice(key.indexOf('barred:')))).toBeGreaterThan(500);
  await nolo.redis.del(`barred:${meeting.id}:there`);
  expect((await createGuestPass({ visitorId: randomUUID(), address: 'there' })).guest).toBeDefined();
});

test('a removed account cannot return as a guest', async () => {
  const participantId = participantIdOf(await nolo.enter(ben, meeting.roomCode, { address: 'home' }));
  await moderate('remove', participantId);
  expect(await meetingsErrorKindAndCode(createGuestPass({ actorId: ben }))).toBe('forbidden removed');
  expect(await meetingsErrorKindAndCode(createGuestPass({ address: 'home' }))).toBe('forbidden guests_paused');
  expect((await createGuestPass({ actorId: host })).guest).toBeDefined();
});

test('the API reports whether a meeting can be reopened', async () => {
  const see = () => nolo.meetings.getMeeting({ actorId: host, roomCode: meeting.roomCode, address: '' });
  expect((await see()).closed).toBe(false);
  const retry = await nolo.enter(ben, meeting.roomCode);
  await nolo.rooms.leave({ actorId: ben, participantId: participantIdOf(retry) });
  const [inside] = (await nolo.enter(ben, meeting.roomCode)).participants;
  await nolo.rooms.leave({ actorId: host, participantId: inside?.id ?? '' });
  await nolo.meetings.endMeeting({ actorId: host, roomCode: meeting.roomCode, address: '' });
  expect(await see()).toMatchObject({ status: 'completed', closed: true });
  expect(await meetingsErrorKindAndCode(nolo.enter(ben, meeting.roomCode))).toBe('conflict meeting_over');

  const left = await nolo.meeting(ben);
  await nolo.rooms.leave({ actorId: ben, participantId: participantIdOf(await nolo.enter(ben, left.roomCode)) });
  const { meetings } = await nolo.meetings.listMeetings({ actorId: ben, filter: 'past', limit: 10 });
  expect(meetings.find(({ id }) => id === left.id)).toMatchObject({ status: 'completed', closed: false });
});

test("a meeting whose old code now looks like a group's is found by it", async () => {
  // The positions of this code's characters add up to an odd number, which now marks a group's code.
  await nolo.db('meetings').where({ id: meeting.id }).update({ room_code: 'ZZZZZ3', last_room_code: 'ZZZZZ3' });
  expect((await nolo.enter(ben, 'ZZZZZ3')).roomId).toBe(meeting.id);
});
