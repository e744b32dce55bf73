import { randomUUID } from 'node:crypto';
import type { Meeting } from '@nolo/proto/meetings';
import type { EnterRequest } from '@nolo/proto/rooms';
import { limits } from '@nolo/rules';
import { eventually, followEvents } from '@nolo/testing';
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
/** Membership events sent to chat, from all tests: those of the previous test may still arrive. */
const membershipEvents: Record<string, unknown>[] = [];
const listMembershipEvents = ({ conversationId }: Meeting) =>
  membershipEvents.filter((membershipEvent) => membershipEvent['conversationId'] === conversationId);

beforeAll(async () => {
  nolo = await startMeetings();
  node = await nolo.startNode();
  await followEvents(nolo.db, ['event.meetings.membership_changed'], ({ data }) => {
    membershipEvents.push(data as Record<string, unknown>);
  });
});
afterAll(() => nolo.stop());
beforeEach(async () => {
  [host, ben, carol] = [await nolo.person(), await nolo.person(), await nolo.person()];
  nolo.frames.length = 0;
  node.requests.length = 0;
});

const inside = async (who: string, { roomCode }: Meeting, more: Partial<EnterRequest> = {}) =>
  participantIdOf(await nolo.enter(who, roomCode, more));
const refusedTo = (who: string, { roomCode }: Meeting) => meetingsErrorKindAndCode(nolo.enter(who, roomCode));
const moderate = (actorId: string, { roomCode }: Meeting, action: string, about: object) =>
  nolo.rooms.moderate({ actorId, roomCode, action, userId: '', ...about });
const leave = (actorId: string, participantId: string) => nolo.rooms.leave({ actorId, participantId });
const lose = (participantId: string) =>
  nolo.rooms.renewParticipants({ gatewayId, participantIds: [], lostParticipantIds: [participantId] });
const full = 'conflict room_full';
const tooMany = 'conflict too_many_devices';

/** Creates a guest with a pass. */
async function guestOf({ id, roomCode }: Meeting, address = randomUUID()) {
  const pass = { roomCode, name: 'Gwen', address, actorId: '', visitorId: '', inviteToken: '' };
  const { guest } = await nolo.meetings.createGuest(pass);
  const guestId = guest?.id ?? '';
  await nolo.leases.add(guestId);
  return { guestId, enterAsGuest: () => nolo.enter(guestId, roomCode, { guestMeetingId: id, address }) };
}

describe('capacity of a meeting', () => {
  test('is counted in people: devices use none, and a person has at most three', async () => {
    const meeting = await nolo.meeting(host, {}, { maxParticipants: 3 });
    await inside(host, meeting);
    const devices = [];
    for (let count = 0; count < limits.devicesPerPerson; count += 1) devices.push(await inside(ben, meeting));
    expect(await refusedTo(ben, meeting)).toBe(tooMany);
    await inside(carol, meeting);
    expect(await refusedTo(await nolo.person(), meeting)).toBe(full);
    const seen = await nolo.meetings.getMeeting({ actorId: host, roomCode: meeting.roomCode, address: '' });
    expect(seen.participantCount).toBe(3);
    await leave(ben, devices[0] ?? '');
    await inside(ben, meeting);
  });

  test('is used by guests as well, who count as attendees', async () => {
    const meeting = await nolo.meeting(host, { requireAuth: false });
    await inside(host, meeting);
    const { guestId, enterAsGuest } = await guestOf(meeting);
    const participantId = participantIdOf(await enterAsGuest());
    await moderate(host, meeting, 'admit', { userId: guestId });
    await nolo.enter(guestId, meeting.roomCode, { guestMeetingId: meeting.id, participantId });
    await nolo.meetings.endMeeting({ actorId: host, roomCode: meeting.roomCode, address: '' });
    const seen = await nolo.meetings.getMeeting({ actorId: host, roomCode: meeting.roomCode, address: '' });
    expect(seen).toMatchObject({ participantCount: 2, participantIds: [host] });
  });

  test('includes a place for the host, however many sockets someone opens', async () => {
    const meeting = await nolo.meeting(host, {}, { maxParticipants: 2 });
    const tries = await Promise.all(Array.from({ length: 20 }, () => refusedTo(ben, meeting)));
    expect(tries.filter((outcome) => outcome === 'none')).toHaveLength(limits.devicesPerPerson);
    expect(await refusedTo(carol, meeting)).toBe(full);
    const first = await inside(host, meeting);
    expect(await refusedTo(carol, meeting)).toBe(full);
    await leave(host, first);
    // The slot stays reserved while the host is away.
    expect(await refusedTo(carol, meeting)).toBe(full);
    await inside(host, meeting);
  });

  test('is not used by a device whose connection is gone', async () => {
    const meeting = await nolo.meeting(host);
    const devices = [];
    for (let count = 0; count < limits.devicesPerPerson; count += 1) devices.push(await inside(ben, meeting));
    await lose(devices[1] ?? '');
    const next = await inside(ben, meeting);
    expect(await refusedTo(ben, meeting)).toBe(tooMany);
    const known = await nolo.rooms.renewParticipants({
      gatewayId,
      participantIds: [...devices, next],
      lostParticipantIds: [],
    });
    expect(known.unknownParticipantIds).toEqual([devices[1]]);
  });

  test('allows as many devices on the media node as the people may have', async () => {
    const meeting = await nolo.meeting(host, {}, { maxParticipants: 4 });
    await inside(host, meeting, { rtpCapabilitiesJson: testCapabilities });
    const join = node.requests.find(({ method }) => method === 'join');
    expect(join?.request['maxParticipants']).toBe(4 * limits.devicesPerPerson);
  });

  test('is checked in people on admission as well', async () => {
    const meeting = await nolo.meeting(host, { waitingRoom: true }, { maxParticipants: 2 });
    await inside(host, meeting);
    for (let count = 0; count < 2; count += 1) await nolo.enter(ben, meeting.roomCode);
    nolo.clock.advance(10);
    await nolo.enter(carol, meeting.roomCode);
    expect(await meetingsErrorKindAndCode(moderate(host, meeting, 'admit', {}))).toBe(full);
    await eventually(() => nolo.framesTo(ben, 'meeting_admitted').length === 2);
    expect(nolo.framesTo(carol, 'meeting_admitted')).toEqual([]);
  });
});

describe('the lobby', () => {
  test('has one place per guest pass, which a reloaded page takes over', async () => {
    const meeting = await nolo.meeting(host, { requireAuth: false });
    const { guestId, enterAsGuest } = await guestOf(meeting);
    const first = participantIdOf(await enterAsGuest());
    expect(await meetingsErrorKindAndCode(enterAsGuest())).toBe(tooMany);
    await lose(first);
    const second = participantIdOf(await enterAsGuest());
    const { waiting } = await nolo.rooms.listLobby({ actorId: host, roomCode: meeting.roomCode, address: '' });
    expect(waiting.map(({ id, userId }) => [id, userId])).toEqual([[second, guestId]]);
  });

  test('counts people like the room does', async () => {
    const meeting = await nolo.meeting(host, { waitingRoom: true });
    for (let count = 0; count < limits.devicesPerPerson; count += 1) await nolo.enter(ben, meeting.roomCode);
    expect(await refusedTo(ben, meeting)).toBe(tooMany);
    expect(await nolo.enter(carol, meeting.roomCode)).toMatchObject({ state: 'waiting' });
  });
});

describe('actions on a person', () => {
  test('apply to all of their devices', async () => {
    const meeting = await nolo.meeting(host);
    await inside(host, meeting);
    const devices = [
      await inside(ben, meeting, { rtpCapabilitiesJson: testCapabilities, video: true }),
      await inside(ben, meeting, { rtpCapabilitiesJson: testCapabilities, video: true }),
    ];
    const pausedAt = (source: string) =>
      node.requests.flatMap(({ method, request }) =>
        method === 'setPaused' && request['source'] === source ? [request['participantId']] : [],
      );
    await moderate(host, meeting, 'mute', { userId: ben });
    await moderate(host, meeting, 'stop_video', { userId: ben });
    expect(pausedAt('microphone')).toEqual(devices);
    expect(pausedAt('camera')).toEqual(devices);
    await moderate(host, meeting, 'ask_to_unmute', { userId: ben });
    const unmuteRequests = () => nolo.framesTo(ben, 'meeting_asked').filter(({ data }) => data['what'] === 'unmute');
    await eventually(() => unmuteRequests().length === 2);
    await moderate(host, meeting, 'remove', { userId: ben });
    const { unknownParticipantIds } = await nolo.rooms.renewParticipants({
      gatewayId,
      participantIds: devices,
      lostParticipantIds: [],
    });
    expect(unknownParticipantIds).toEqual(devices);
  });

  test('admit and reject all devices they wait with', async () => {
    const meeting = await nolo.meeting(host, { waitingRoom: true });
    await inside(host, meeting);
    for (const who of [ben, ben, carol, carol]) await nolo.enter(who, meeting.roomCode);
    await moderate(host, meeting, 'admit', { userId: ben });
    await moderate(host, meeting, 'deny', { userId: carol });
    await eventually(() => nolo.framesTo(ben, 'meeting_admitted').length === 2);
    await eventually(() => nolo.framesTo(carol, 'meeting_denied').length === 2);
  });

  test('are rejected for unknown people, and for a person and a device at once', async () => {
    const meeting = await nolo.meeting(host);
    const participantId = await inside(ben, meeting);
    const stranger = randomUUID();
    for (const action of ['mute', 'remove', 'admit']) {
      expect(await meetingsErrorKindAndCode(moderate(host, meeting, action, { userId: stranger }))).toBe(
        'not_found participant_unknown',
      );
    }
    expect(await meetingsErrorKindAndCode(moderate(host, meeting, 'mute', { userId: 'x' }))).toBe(
      'not_found participant_unknown',
    );
    expect(await meetingsErrorKindAndCode(moderate(host, meeting, 'mute', { userId: ben, participantId }))).toBe(
      'invalid action_refused',
    );
    expect(await meetingsErrorKindAndCode(moderate(ben, meeting, 'remove', { userId: host }))).toBe(
      'forbidden not_host',
    );
  });
});

describe('removal', () => {
  test("is published to the meeting's chat in the same step", async () => {
    const meeting = await nolo.meeting(host);
    await inside(ben, meeting);
    await moderate(host, meeting, 'remove', { userId: ben });
    const one = await eventually(() => listMembershipEvents(meeting)[0]);
    expect(one).toEqual({
      conversationId: meeting.conversationId,
      userId: ben,
      role: 'member',
      removedBy: host,
      readmitted: false,
      changedAt: nolo.clock.now().toISOString(),
    });
    expect(await refusedTo(ben, meeting)).toBe('forbidden removed');
    // The removed person no longer sees what is inside, and the meeting is gone from their list.
    const seen = await nolo.meetings.getMeeting({ actorId: ben, roomCode: meeting.roomCode, address: '' });
    expect(seen).toMatchObject({ conversationId: undefined, participantCount: 0, participantIds: [], isHost: false });
    const { meetings } = await nolo.meetings.listMeetings({ actorId: ben });
    expect(meetings).toEqual([]);
  });

  test('reaches someone who has just left', async () => {
    const meeting = await nolo.meeting(host);
    await leave(ben, await inside(ben, meeting));
    await moderate(host, meeting, 'remove', { userId: ben });
    expect(await refusedTo(ben, meeting)).toBe('forbidden removed');
    await eventually(() => listMembershipEvents(meeting).length === 1);
  });

  test('ends the permissions of a co-host', async () => {
    const meeting = await nolo.meeting(host);
    await inside(ben, meeting);
    await inside(carol, meeting);
    await moderate(host, meeting, 'make_co_host', { userId: ben });
    await moderate(ben, meeting, 'mute', { userId: carol });
    await moderate(host, meeting, 'remove', { userId: ben });
    expect(await meetingsErrorKindAndCode(moderate(ben, meeting, 'mute', { userId: carol }))).toBe(
      'forbidden not_host',
    );
    expect(
      await meetingsErrorKindAndCode(
        nolo.meetings.endMeeting({ actorId: ben, roomCode: meeting.roomCode, address: '' }),
      ),
    ).toBe('forbidden not_host');
    await eventually(() => listMembershipEvents(meeting).length === 2);
    expect(listMembershipEvents(meeting).map(({ role, removedBy }) => [role, removedBy])).toEqual([
      ['admin', null],
      ['member', host],
    ]);
  });

  test('keeps out people who enter at the same moment', async () => {
    const meeting = await nolo.meeting(host);
    const rounds = Array.from({ length: 10 }, () => randomUUID());
    for (const who of rounds) {
      await leave(who, await inside(who, meeting));
      await Promise.all([
        moderate(host, meeting, 'remove', { userId: who }),
        ...[1, 2].map(() => nolo.enter(who, meeting.roomCode).catch(() => undefined)),
      ]);
    }
    const { participants } = await nolo.enter(host, meeting.roomCode);
    expect(participants).toEqual([]);
  });

  test('is not published to the chat for a guest, who is not in it', async () => {
    const meeting = await nolo.meeting(host, { requireAuth: false });
    await inside(host, meeting);
    const { guestId, enterAsGuest } = await guestOf(meeting);
    const waiting = participantIdOf(await enterAsGuest());
    await moderate(host, meeting, 'admit', { userId: guestId });
    await nolo.enter(guestId, meeting.roomCode, { guestMeetingId: meeting.id, participantId: waiting });
    await moderate(host, meeting, 'remove', { userId: guestId });
    expect(await meetingsErrorKindAndCode(enterAsGuest())).toBe('forbidden removed');
    await inside(ben, meeting);
    await moderate(host, meeting, 'remove', { userId: ben });
    // Events are in order, so the guest's would have arrived by now.
    await eventually(() => listMembershipEvents(meeting).some(({ userId }) => userId === ben));
    expect(listMembershipEvents(meeting).map(({ userId }) => userId)).not.toContain(guestId);
  });

  test('hosts join the chat as its admins', async () => {
    const meeting = await nolo.meeting(host);
    await inside(host, meeting);
    await leave(ben, await inside(ben, meeting));
    await moderate(host, meeting, 'make_co_host', { userId: ben }).catch(() => undefined);
    await inside(ben, meeting);
    await moderate(host, meeting, 'make_co_host', { userId: ben });
    await leave(ben, await inside(ben, meeting));
    await inside(ben, meeting);
    const roles = () => nolo.chat.joined.filter(({ conversationId }) => conversationId === meeting.conversationId);
    await eventually(() => roles().length === 5);
    expect(new Set(roles().map(({ userId, role }) => `${userId} ${role}`))).toEqual(
      new Set([`${host} owner`, `${ben} member`, `${ben} admin`]),
    );
  });
});

describe('readmission', () => {
  const removedAs = (actorId: string, { roomCode }: Meeting, more: { cursor?: string; limit?: number } = {}) =>
    nolo.rooms.listRemoved({ actorId, roomCode, ...more });
  const idsOf = ({ removed }: { removed: { userId: string }[] }) => removed.map(({ userId }) => userId);

  test('undoes a removal in one step, published to the chat once, however often it is repeated', async () => {
    const meeting = await nolo.meeting(host, { waitingRoom: true });
    await inside(host, meeting);
    await nolo.enter(ben, meeting.roomCode);
    await moderate(host, meeting, 'admit', { userId: ben });
    await inside(ben, meeting);
    await moderate(host, meeting, 'remove', { userId: ben });
    expect(await removedAs(host, meeting)).toEqual({
      removed: [{ userId: ben, removedAt: nolo.clock.now() }],
      nextCursor: undefined,
    });
    for (let count = 0; count < 2; count += 1) await moderate(host, meeting, 'readmit', { userId: ben });
    expect(idsOf(await removedAs(host, meeting))).toEqual([]);
    // The person waits like anyone else: the removal revoked their earlier admission.
    expect(await nolo.enter(ben, meeting.roomCode)).toMatchObject({ state: 'waiting' });
    await moderate(host, meeting, 'remove', { userId: carol }).catch(() => undefined);
    await moderate(host, meeting, 'admit', { userId: ben });
    await inside(ben, meeting);
    await moderate(host, meeting, 'remove', { userId: ben });
    await eventually(() => listMembershipEvents(meeting).length === 3);
    expect(
      listMembershipEvents(meeting).map(({ userId, removedBy, readmitted }) => [userId, removedBy, readmitted]),
    ).toEqual([
      [ben, host, false],
      [ben, null, true],
      [ben, host, false],
    ]);
    expect(listMembershipEvents(meeting)[1]).toMatchObject({ conversationId: meeting.conversationId, role: 'member' });
  });

  test('is for hosts and co-hosts, even after the meeting, and for accounts that took part', async () => {
    const meeting = await nolo.meeting(host, { requireAuth: false });
    await inside(host, meeting);
    for (const who of [ben, carol]) await leave(who, await inside(who, meeting));
    const coHost = await nolo.person();
    await inside(coHost, meeting);
    await moderate(host, meeting, 'make_co_host', { userId: coHost });
    await moderate(host, meeting, 'remove', { userId: ben });
    expect(await meetingsErrorKindAndCode(removedAs(carol, meeting))).toBe('forbidden not_host');
    expect(await meetingsErrorKindAndCode(removedAs(ben, meeting))).toBe('forbidden not_host');
    expect(await meetingsErrorKindAndCode(removedAs(await nolo.person(), meeting))).toBe('not_found meeting_not_found');
    for (const who of [carol, ben]) {
      expect(await meetingsErrorKindAndCode(moderate(who, meeting, 'readmit', { userId: ben }))).toBe(
        'forbidden not_host',
      );
    }
    const { guestId } = await guestOf(meeting);
    for (const userId of [randomUUID(), 'x', guestId]) {
      expect(await meetingsErrorKindAndCode(moderate(host, meeting, 'readmit', { userId }))).toBe(
        'not_found participant_unknown',
      );
    }
    expect(await meetingsErrorKindAndCode(moderate(host, meeting, 'readmit', { participantId: randomUUID() }))).toBe(
      'not_found participant_unknown',
    );
    await nolo.meetings.endMeeting({ actorId: host, roomCode: meeting.roomCode, address: '' });
    expect(idsOf(await removedAs(coHost, meeting))).toEqual([ben]);
    await moderate(coHost, meeting, 'readmit', { userId: ben });
    const { meetings } = await nolo.meetings.listMeetings({ actorId: ben });
    expect(meetings.map(({ id }) => id)).toEqual([meeting.id]);
  });

  test('lists accounts in pages, latest first, and no guests', async () => {
    const meeting = await nolo.meeting(host, { requireAuth: false });
    await inside(host, meeting);
    const { guestId, enterAsGuest } = await guestOf(meeting);
    await enterAsGuest();
    await moderate(host, meeting, 'admit', { userId: guestId });
    await enterAsGuest();
    await moderate(host, meeting, 'remove', { userId: guestId });
    const out = [ben, carol, await nolo.person()];
    for (const who of out) {
      await leave(who, await inside(who, meeting));
      await moderate(host, meeting, 'remove', { userId: who });
      nolo.clock.advance(5);
    }
    const long = await nolo.person();
    await leave(long, await inside(long, meeting));
    await moderate(host, meeting, 'remove', { userId: long });
    // Writes the row as release 0.1.0 did.
    await nolo.db('meeting_people').where({ meeting_id: meeting.id, user_id: long }).update({ removed_at: null });
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await removedAs(host, meeting, { cursor, limit: 1 });
      seen.push(...idsOf(page));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(seen).toEqual([...out.reverse(), long]);
    expect(await meetingsErrorKindAndCode(removedAs(host, meeting, { cursor: 'x' }))).toBe('invalid cursor_invalid');
  });
});
