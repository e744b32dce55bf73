import { randomUUID } from 'node:crypto';
import type { Meeting, UpdateMeetingRequest } from '@nolo/proto/meetings';
import { limits } from '@nolo/rules';
import { eventually } from '@nolo/testing';
import { aCreateMeetingRequest, anUpdateMeetingRequest, defaultMeetingSettings } from '@nolo/testing/protos';
import { participantIdOf, meetingsErrorKindAndCode, startMeetings, type TestMeetings } from './startMeetings.ts';

let nolo: TestMeetings;
let [host, ben, stranger] = ['', '', ''];

beforeAll(async () => {
  nolo = await startMeetings();
});
afterAll(() => nolo.stop());
beforeEach(async () => {
  [host, ben, stranger] = [await nolo.person(), await nolo.person(), await nolo.person()];
  nolo.frames.length = 0;
  nolo.clock.advance(1_000);
});

const named = (actorId: string, { roomCode }: { roomCode: string }, address = '') => ({ actorId, roomCode, address });
const inHours = (hours: number) => new Date(nolo.clock.now().getTime() + hours * 3_600_000);
const create = (more: object) => nolo.meetings.createMeeting(aCreateMeetingRequest({ actorId: host, ...more }));
const update = (actorId: string, { roomCode }: Meeting, more: Partial<UpdateMeetingRequest>) =>
  nolo.meetings.updateMeeting(anUpdateMeetingRequest({ actorId, roomCode, ...more }));
const access = (actorId: string, { roomCode }: Meeting, inviteToken = '') =>
  nolo.meetings.checkAccess({ actorId, roomCode, inviteToken, address: '' });

describe('planning a meeting', () => {
  test('a meeting has a code, its host, and the requested or default settings', async () => {
    const meeting = await create({});
    expect(meeting.roomCode).toMatch(/^[2-9A-HJKMNP-Z]{6}$/);
    expect(meeting).toMatchObject({
      hostId: host,
      isHost: true,
      status: 'created',
      maxParticipants: 50,
      recurrence: 'none',
      settings: { allowRecording: false, requireAuth: true, waitingRoom: false, allowScreenShare: true },
      hasInvite: false,
      locked: false,
    });
    const planned = await create({
      name: '  Review ',
      description: 'All of it',
      maxParticipants: 7,
      scheduledAt: inHours(2),
      durationMinutes: 45,
      timeZone: 'Africa/Johannesburg',
      recurrence: 'weekly',
      settings: { ...defaultMeetingSettings, waitingRoom: true },
    });
    expect(planned).toMatchObject({
      name: 'Review',
      description: 'All of it',
      maxParticipants: 7,
      scheduledAt: inHours(2),
      durationMinutes: 45,
      timeZone: 'Africa/Johannesburg',
      recurrence: 'weekly',
      settings: { waitingRoom: true, allowRecording: true },
    });
  });

  test.each([
    ['a blank name', { name: '  ' }],
    ['an overlong name', { name: 'x'.repeat(limits.meetingNameLength + 1) }],
    ['an overlong description', { description: 'x'.repeat(limits.meetingDescriptionLength + 1) }],
    ['one person', { maxParticipants: 1 }],
    ['too many people', { maxParticipants: 101 }],
    ['yesterday', { scheduledAt: new Date(0) }],
    ['too far ahead', { scheduledAt: new Date('2050-01-01') }],
    ['too long', { durationMinutes: limits.meetingMinutesMax + 1 }],
    ['an unknown recurrence', { recurrence: 'yearly' }],
    ['an unknown time zone', { timeZone: 'Mars/Base' }],
    ['a recurrence without a date', { recurrence: 'daily', timeZone: 'UTC' }],
  ])('%s is refused', async (_, more) => {
    expect(await meetingsErrorKindAndCode(create(more))).toBe('invalid meeting_invalid');
  });

  test('only hosts can change a meeting, and those inside are notified', async () => {
    const meeting = await create({});
    await nolo.enter(ben, meeting.roomCode);
    expect(await meetingsErrorKindAndCode(update(ben, meeting, { name: 'Mine' }))).toBe('forbidden not_host');
    expect(await meetingsErrorKindAndCode(update(stranger, meeting, { name: 'Mine' }))).toBe(
      'not_found meeting_not_found',
    );
    const changed = await update(host, meeting, {
      name: 'Other',
      locked: true,
      maxParticipants: 3,
      settings: { ...defaultMeetingSettings, muteOnEntry: true },
    });
    expect(changed).toMatchObject({ name: 'Other', locked: true, maxParticipants: 3, settings: { muteOnEntry: true } });
    const frame = await eventually(() => nolo.framesTo(ben, 'meeting_changed')[0]);
    expect(frame).toMatchObject({
      scope: `meeting:${meeting.id}`,
      data: { roomCode: meeting.roomCode, meeting: { name: 'Other', locked: true, maxParticipants: 3 } },
    });
    expect(await meetingsErrorKindAndCode(update(host, meeting, { scheduledAt: inHours(1) }))).toBe(
      'invalid meeting_invalid',
    );
  });

  test('a meeting is cancelled before it starts, and ended afterwards', async () => {
    const meeting = await create({});
    expect(await meetingsErrorKindAndCode(nolo.meetings.cancelMeeting(named(stranger, meeting)))).toBe(
      'not_found meeting_not_found',
    );
    expect(await nolo.meetings.cancelMeeting(named(host, meeting))).toMatchObject({ status: 'cancelled' });

    const live = await create({});
    const one = participantIdOf(await nolo.enter(ben, live.roomCode));
    await nolo.enter(host, live.roomCode);
    expect(await meetingsErrorKindAndCode(nolo.meetings.cancelMeeting(named(host, live)))).toBe(
      'conflict meeting_over',
    );
    expect(await meetingsErrorKindAndCode(nolo.meetings.endMeeting(named(ben, live)))).toBe('forbidden not_host');
    nolo.clock.advance(10 * 60_000);
    expect(await nolo.meetings.endMeeting(named(host, live))).toMatchObject({
      status: 'completed',
      durationMinutes: 10,
      participantCount: 2,
    });
    const frame = await eventually(() => nolo.framesTo(ben, 'meeting_ended')[0]);
    expect(frame.data).toEqual({ roomCode: live.roomCode, reason: 'ended' });
    expect(await meetingsErrorKindAndCode(nolo.rooms.react({ actorId: ben, participantId: one, reaction: '👍' }))).toBe(
      'not_found participant_unknown',
    );
  });

  test('a code is released with its meeting; former participants learn that it is over', async () => {
    const meeting = await create({});
    await nolo.enter(ben, meeting.roomCode);
    await nolo.meetings.endMeeting(named(host, meeting));
    for (const enter of [(who: string) => access(who, meeting), (who: string) => nolo.enter(who, meeting.roomCode)]) {
      expect(await meetingsErrorKindAndCode(enter(host))).toBe('conflict meeting_over');
      expect(await meetingsErrorKindAndCode(enter(ben))).toBe('conflict meeting_over');
      expect(await meetingsErrorKindAndCode(enter(stranger))).toBe('not_found meeting_not_found');
    }
    for (const who of [host, ben]) {
      expect(await nolo.meetings.getMeeting(named(who, meeting))).toMatchObject({
        id: meeting.id,
        status: 'completed',
      });
    }
    expect(await meetingsErrorKindAndCode(nolo.meetings.getMeeting(named(stranger, meeting)))).toBe(
      'not_found meeting_not_found',
    );
    expect(await meetingsErrorKindAndCode(nolo.meetings.createInvite(named(host, meeting)))).toBe(
      'conflict meeting_over',
    );
    expect(
      await meetingsErrorKindAndCode(nolo.meetings.rotateRoomCode({ ...named(host, meeting), expiresAt: undefined })),
    ).toBe('conflict meeting_over');
    expect(await nolo.meetings.endMeeting(named(host, meeting))).toMatchObject({ status: 'completed' });
  });

  test('a new code replaces the previous one, and those inside stay', async () => {
    const meeting = await create({});
    const one = participantIdOf(await nolo.enter(ben, meeting.roomCode));
    const rotated = await nolo.meetings.rotateRoomCode({ ...named(host, meeting), expiresAt: undefined });
    expect(rotated.roomCode).not.toBe(meeting.roomCode);
    expect(await meetingsErrorKindAndCode(nolo.enter(stranger, meeting.roomCode))).toBe('not_found meeting_not_found');
    expect((await nolo.enter(stranger, rotated.roomCode)).participants).toHaveLength(1);
    const frame = await eventually(() => nolo.framesTo(ben, 'meeting_changed')[0]);
    expect(frame.data).toMatchObject({ roomCode: meeting.roomCode, meeting: { roomCode: rotated.roomCode } });
    expect(await meetingsErrorKindAndCode(nolo.rooms.react({ actorId: ben, participantId: one, reaction: '👍' }))).toBe(
      'none',
    );
  });
});

describe('the list of meetings', () => {
  test('lists live meetings first, then planned ones by time, then past ones, latest first, in pages', async () => {
    const names = async (filter = '', limit = 100) => {
      const seen: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await nolo.meetings.listMeetings({ actorId: host, filter, cursor, limit });
        seen.push(...page.meetings.map(({ name }) => name));
        cursor = page.nextCursor;
      } while (cursor !== undefined);
      return seen;
    };
    const past: Meeting[] = [];
    for (const name of ['first past', 'second past', 'third past']) {
      const meeting = await create({ name });
      await nolo.meetings.endMeeting(named(host, meeting));
      past.push(meeting);
      nolo.clock.advance(60_000);
    }
    for (const [name, hours] of [
      ['in three hours', 3],
      ['in an hour', 1],
      ['in two hours', 2],
    ] as const) {
      await create({ name, scheduledAt: inHours(hours) });
    }
    await create({ name: 'at any time' });
    for (const name of ['first live', 'second live']) {
      await nolo.enter(host, (await create({ name })).roomCode);
      nolo.clock.advance(60_000);
    }
    const live = ['second live', 'first live'];
    const planned = ['in an hour', 'in two hours', 'in three hours'];
    const over = ['third past', 'second past', 'first past'];
    const all = [...live, 'at any time', ...planned, ...over];
    expect(await names()).toEqual(all);
    for (const limit of [1, 2, 3]) expect(await names('', limit)).toEqual(all);
    expect(await names('live')).toEqual(live);
    // A meeting without a time is not scheduled.
    expect(await names('scheduled', 2)).toEqual(planned);
    expect(await names('past', 2)).toEqual(over);
    expect(past).toHaveLength(3);
    expect(await meetingsErrorKindAndCode(nolo.meetings.listMeetings({ actorId: host, cursor: 'bm8', limit: 2 }))).toBe(
      'invalid cursor_invalid',
    );
  });

  test('includes meetings a person attended, and who was there', async () => {
    const meeting = await create({});
    await nolo.enter(ben, meeting.roomCode);
    const { meetings } = await nolo.meetings.listMeetings({ actorId: ben, limit: 10 });
    expect(meetings).toMatchObject([{ id: meeting.id, isHost: false, participantIds: [ben], participantCount: 1 }]);
    expect((await nolo.meetings.listMeetings({ actorId: stranger, limit: 10 })).meetings).toEqual([]);
  });
});

describe('entering a meeting', () => {
  test('an invite bypasses the waiting room until it is revoked', async () => {
    const meeting = await nolo.meeting(host, { waitingRoom: true });
    expect((await access(stranger, meeting)).access).toBe('wait');
    const { token } = await nolo.meetings.createInvite(named(host, meeting));
    expect(Buffer.from(token, 'base64url')).toHaveLength(16);
    expect((await access(stranger, meeting, token)).access).toBe('enter');
    const { token: next } = await nolo.meetings.createInvite(named(host, meeting));
    expect((await access(stranger, meeting, token)).access).toBe('wait');
    expect((await nolo.meetings.getMeeting(named(host, meeting))).hasInvite).toBe(true);
    await nolo.meetings.revokeInvite(named(host, meeting));
    expect((await access(stranger, meeting, next)).access).toBe('wait');
    expect(await meetingsErrorKindAndCode(nolo.meetings.createInvite(named(stranger, meeting)))).toBe(
      'not_found meeting_not_found',
    );
  });

  test('an outsider sees the pre-join page and no more', async () => {
    const meeting = await create({});
    await nolo.enter(ben, meeting.roomCode);
    expect((await access(stranger, meeting)).meeting).toMatchObject({
      name: 'Weekly',
      conversationId: undefined,
      participantIds: [],
      participantCount: 0,
      isHost: false,
    });
  });

  test('a full meeting admits nobody, even twenty at once', async () => {
    const meeting = await create({ maxParticipants: 3 });
    const people = await Promise.all(Array.from({ length: 12 }, () => nolo.person()));
    const entries = await Promise.all(people.map((one) => meetingsErrorKindAndCode(nolo.enter(one, meeting.roomCode))));
    // The third slot is reserved for the host.
    expect(entries.filter((entry) => entry === 'none')).toHaveLength(2);
    expect(new Set(entries)).toEqual(new Set(['none', 'conflict room_full']));
    expect(await meetingsErrorKindAndCode(access(stranger, meeting))).toBe('conflict room_full');
    expect((await access(host, meeting)).access).toBe('enter');
    await nolo.enter(host, meeting.roomCode);
    expect(await meetingsErrorKindAndCode(update(host, meeting, { maxParticipants: 2 }))).toBe(
      'invalid meeting_invalid',
    );
  });

  test('meetings per account are limited', async () => {
    const owner = randomUUID();
    const { id } = await nolo.meeting(owner);
    await nolo.db.raw(
      `insert into meetings
      select (jsonb_populate_record(m, jsonb_build_object('id', gen_random_uuid(), 'room_code', null))).*
      from meetings m, generate_series(1, ?) where m.id = ?`,
      [limits.meetingsPerUser - 2, id],
    );
    await nolo.meeting(owner);
    expect(await meetingsErrorKindAndCode(nolo.meeting(owner))).toBe('conflict too_many_meetings');
    await nolo.meeting(host);
  });
});

describe('guests of a meeting', () => {
  const createGuestPass = (meeting: Meeting, name = 'Gwen', address = randomUUID()) =>
    nolo.meetings.createGuest({
      roomCode: meeting.roomCode,
      name,
      address,
    });

  test('ask to join where allowed, with a pass for this meeting only', async () => {
    const meeting = await nolo.meeting(host, { requireAuth: false });
    const other = await nolo.meeting(host, { requireAuth: false });
    const { guest, token } = await createGuestPass(meeting, '  Gwen   of Wales ');
    expect(guest).toMatchObject({ meetingId: meeting.id, roomCode: meeting.roomCode, name: 'Gwen of Wales' });
    expect(await nolo.meetings.authenticateGuest({ token })).toEqual(guest);
    const id = guest?.id ?? '';
    const entry = await nolo.enter(id, meeting.roomCode, { guestMeetingId: meeting.id, name: 'Host' });
    expect(entry).toMatchObject({ state: 'waiting', participant: { name: 'Gwen of Wales', role: 'guest' } });
    expect(await meetingsErrorKindAndCode(nolo.enter(id, other.roomCode, { guestMeetingId: meeting.id }))).toBe(
      'not_found meeting_not_found',
    );
    expect(await meetingsErrorKindAndCode(nolo.meetings.authenticateGuest({ token: 'x' }))).toBe(
      'unauthenticated guest_unknown',
    );
    expect(JSON.stringify(await nolo.db('guests').select('*'))).not.toContain(token);
  });

  test('are refused where an account is required, and without a name', async () => {
    expect(await meetingsErrorKindAndCode(createGuestPass(await nolo.meeting(host)))).toBe('forbidden guests_refused');
    const meeting = await nolo.meeting(host, { requireAuth: false });
    expect(await meetingsErrorKindAndCode(createGuestPass(meeting, ' '))).toBe('invalid name_invalid');
  });

  test('lose their pass with the meeting and over time', async () => {
    const meeting = await nolo.meeting(host, { requireAuth: false });
    const { token } = await createGuestPass(meeting);
    nolo.clock.advance(24 * 3_600_000);
    expect(await meetingsErrorKindAndCode(nolo.meetings.authenticateGuest({ token }))).toBe(
      'unauthenticated guest_unknown',
    );
    const { token: fresh } = await createGuestPass(meeting);
    await nolo.meetings.endMeeting(named(host, meeting));
    expect(await meetingsErrorKindAndCode(nolo.meetings.authenticateGuest({ token: fresh }))).toBe(
      'unauthenticated guest_unknown',
    );
  });
});

test("a deleted account's meetings end, and it is removed from the others", async () => {
  const [own, over] = [await create({}), await create({})];
  await nolo.meetings.endMeeting(named(host, over));
  const others = await nolo.meeting(ben);
  await nolo.enter(host, others.roomCode);
  await nolo.enter(ben, own.roomCode);
  await nolo.deleteUser(host);
  await eventually(() => nolo.framesTo(ben, 'meeting_ended').length > 0);
  await eventually(async () => (await nolo.db('meetings').where({ host_id: host }).select('id')).length === 0);
  expect(await nolo.db('meeting_people').where({ user_id: host }).select('*')).toEqual([]);
  expect((await access(ben, others)).access).toBe('enter');
});
