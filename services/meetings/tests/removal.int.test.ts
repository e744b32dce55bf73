import { randomUUID } from 'node:crypto';
import type { Meeting } from '@nolo/proto/meetings';
import { eventually, followEvents } from '@nolo/testing';
import { ben, carol, guestOf, host, inside, leave, moderate, nolo, refusedTo } from './peopleScene.ts';
import { participantIdOf, meetingsErrorKindAndCode } from './startMeetings.ts';

/** Membership events sent to chat, from all tests: those of the previous test may still arrive. */
const membershipEvents: Record<string, unknown>[] = [];
const listMembershipEvents = ({ conversationId }: Meeting) =>
  membershipEvents.filter((membershipEvent) => membershipEvent['conversationId'] === conversationId);

beforeAll(async () => {
  await followEvents(nolo.db, ['event.meetings.membership_changed'], ({ data }) => {
    membershipEvents.push(data as Record<string, unknown>);
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
