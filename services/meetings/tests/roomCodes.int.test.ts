import { randomUUID } from 'node:crypto';
import type { Meeting } from '@nolo/proto/meetings';
import { limits, newRoomCode, rateLimits, type RateLimitName } from '@nolo/rules';
import { eventually } from '@nolo/testing';
import { participantIdOf, meetingsErrorKindAndCode, startMeetings, type TestMeetings } from './startMeetings.ts';

let nolo: TestMeetings;
let [host, ben, stranger] = ['', '', ''];

beforeAll(async () => {
  // Uses production limits, because demo mode relaxes those per address.
  nolo = await startMeetings({ variables: { NOLO_MODE: 'production' } });
});
afterAll(() => nolo.stop());
beforeEach(async () => {
  [host, ben, stranger] = [await nolo.person(), await nolo.person(), await nolo.person()];
  nolo.frames.length = 0;
  nolo.clock.advance(1_000);
  await spend('roomCodeMissesOverall', 'all', 0);
  await spend('anonymousRoomCodeMissesOverall', 'all', 0);
});

const named = (actorId: string, { roomCode }: Meeting) => ({ actorId, roomCode, address: '' });
const access = (actorId: string, roomCode: string, { address = '', inviteToken = '' } = {}) =>
  nolo.meetings.checkAccess({ actorId, roomCode, inviteToken, address });
const createGuestPass = (roomCode: string, { address = '', inviteToken = '' } = {}) =>
  nolo.meetings.createGuest({ roomCode, name: 'Gwen', address, inviteToken });
const invite = async (meeting: Meeting) => (await nolo.meetings.createInvite(named(host, meeting))).token;
const notFound = 'not_found meeting_not_found';
const refused = 'rate_limited rate_limited';

/** Sets the limit as if this many misses were counted. */
async function spend(name: RateLimitName, key: string, points: number = rateLimits[name].points): Promise<void> {
  await nolo.redis.set(`limit:${name}:${key}`, points, 'EX', 600);
}

const tryCode = (actorId: string, roomCode: string) =>
  meetingsErrorKindAndCode(nolo.meetings.getMeeting({ actorId, roomCode, address: '' }));
const nameless = { name: '', description: '', hostId: '', brand: undefined };

describe('guessing codes', () => {
  test('reveals nothing after too many misses, and the right code then leads to the lobby', async () => {
    const meeting = await nolo.meeting(host);
    for (let tries = 0; tries < rateLimits.roomCodeMissesPerUser.points; tries += 1) {
      expect(await meetingsErrorKindAndCode(access(stranger, newRoomCode('meeting')))).toBe(notFound);
    }
    expect(await meetingsErrorKindAndCode(nolo.enter(stranger, newRoomCode('meeting')))).toBe(refused);
    expect(await access(stranger, meeting.roomCode)).toMatchObject({ access: 'wait', guarded: true });
    expect(await nolo.enter(stranger, meeting.roomCode)).toMatchObject({ state: 'waiting', guarded: true });
    // The limit does not affect other people.
    expect(await access(ben, meeting.roomCode)).toMatchObject({ access: 'enter', guarded: false });
    expect(await nolo.enter(ben, meeting.roomCode)).toMatchObject({ state: 'joined', guarded: false });
  });

  test.each([
    ['with', true],
    ['without', false],
  ])('hides whether a code is right, %s an account', async (_with, signedIn) => {
    const meeting = await nolo.meeting(host, { requireAuth: false, waitingRoom: true });
    const [right, wrong] = [meeting.roomCode, newRoomCode('meeting')];
    await spend('roomCodeMissesPerUser', stranger);
    await spend('anonymousRoomCodeMissesOverall', 'all');
    const shown = async (roomCode: string) => {
      const reply = await access(signedIn ? stranger : '', roomCode);
      expect(reply).toMatchObject({ guarded: true, meeting: { ...nameless, roomCode } });
      return { ...reply, meeting: { ...reply.meeting, roomCode: '' } };
    };
    expect(await shown(right)).toEqual(await shown(wrong));
    if (signedIn) for (const code of [right, wrong]) expect(await tryCode(stranger, code)).toBe(refused);
    // Membership and hosts' rights are checked before any counter.
    expect(await tryCode(host, right)).toBe('none');
  });

  test('limits attempts after too many misses, whatever the code, without affecting others', async () => {
    const meeting = await nolo.meeting(host, { requireAuth: false });
    await spend('roomCodeMissesOverall', 'all');
    await spend('anonymousRoomCodeMissesOverall', 'all');
    for (let tries = 0; tries < rateLimits.guardedRoomCodesPerUser.points; tries += 1) {
      expect(await meetingsErrorKindAndCode(nolo.enter(stranger, newRoomCode('meeting')))).toBe(refused);
    }
    expect(await meetingsErrorKindAndCode(nolo.enter(stranger, meeting.roomCode))).toBe(refused);
    expect(await nolo.enter(ben, meeting.roomCode)).toMatchObject({ state: 'waiting', guarded: true });
    const address = '192.0.2.80';
    for (let tries = 0; tries < rateLimits.guardedRoomCodesPerAddress.points; tries += 1) {
      expect(await meetingsErrorKindAndCode(createGuestPass(newRoomCode('meeting'), { address }))).toBe(refused);
    }
    expect(await meetingsErrorKindAndCode(createGuestPass(meeting.roomCode, { address }))).toBe(refused);
    expect(await meetingsErrorKindAndCode(createGuestPass(meeting.roomCode, { address: '192.0.2.81' }))).toBe('none');
    expect(
      await meetingsErrorKindAndCode(
        createGuestPass(meeting.roomCode, { address, inviteToken: await invite(meeting) }),
      ),
    ).toBe('none');
  });

  test('does not count right codes, however often', async () => {
    const meeting = await nolo.meeting(host);
    const tries = rateLimits.roomCodeMissesPerUser.points + 5;
    for (let count = 0; count < tries; count += 1) await access(stranger, meeting.roomCode);
    expect(await access(stranger, meeting.roomCode)).toMatchObject({ access: 'enter' });
  });

  test('makes codes insufficient after too many misses overall, except for hosts, visitors and invites', async () => {
    const meeting = await nolo.meeting(host);
    await nolo.enter(ben, meeting.roomCode);
    await spend('roomCodeMissesOverall', 'all');
    expect(await tryCode(stranger, newRoomCode('meeting'))).toBe(refused);
    expect(await access(stranger, meeting.roomCode)).toMatchObject({ access: 'wait', guarded: true });
    for (const who of [host, ben]) expect((await access(who, meeting.roomCode)).access).toBe('enter');
    const inviteToken = await invite(meeting);
    expect(await access(stranger, meeting.roomCode, { inviteToken })).toMatchObject({
      access: 'enter',
      guarded: false,
    });
    expect(await nolo.enter(stranger, meeting.roomCode, { inviteToken })).toMatchObject({ state: 'joined' });
    // An invalid token does not help.
    const eve = await nolo.person();
    expect(await access(eve, meeting.roomCode, { inviteToken: randomUUID() })).toMatchObject({ access: 'wait' });
  });

  test('requires admission by a host', async () => {
    await spend('roomCodeMissesPerUser', stranger);
    const open = await nolo.meeting(host);
    await nolo.enter(host, open.roomCode);
    const waiting = await nolo.enter(stranger, open.roomCode);
    expect(waiting).toMatchObject({ state: 'waiting', guarded: true });
    await nolo.rooms.moderate({
      actorId: host,
      roomCode: open.roomCode,
      userId: stranger,
      action: 'admit',
    });
    expect(await nolo.enter(stranger, open.roomCode, { participantId: participantIdOf(waiting) })).toMatchObject({
      state: 'joined',
    });
  });

  test('counts people with and without an account separately', async () => {
    const meeting = await nolo.meeting(host, { requireAuth: false });
    await spend('anonymousRoomCodeMissesOverall', 'all');
    expect(await meetingsErrorKindAndCode(createGuestPass(newRoomCode('meeting')))).toBe(refused);
    // Guests wait anyway, so nothing changes for those with the code.
    expect(await access('', meeting.roomCode)).toMatchObject({ access: 'guest' });
    expect(await meetingsErrorKindAndCode(createGuestPass(meeting.roomCode))).toBe('none');
    expect(await meetingsErrorKindAndCode(access(stranger, newRoomCode('meeting')))).toBe(notFound);
    expect(await access(stranger, meeting.roomCode)).toMatchObject({ access: 'enter' });
  });

  test('is stopped for a /48 network long before others are affected', async () => {
    const from = (site: string, index: number) => `2001:db8:${site}:${index.toString(16)}::1`;
    const { points } = rateLimits.anonymousRoomCodeMissesPerAddress;
    const guess = (address: string) => meetingsErrorKindAndCode(createGuestPass(newRoomCode('meeting'), { address }));
    const one = from('1', 0);
    const outcomes = [];
    for (let count = 0; count <= points; count += 1) outcomes.push(await guess(one));
    expect(outcomes.filter((outcome) => outcome === notFound)).toHaveLength(points);
    expect(outcomes.at(-1)).toBe(refused);
    expect(await guess(from('1', 1))).toBe(notFound);
    await spend('anonymousRoomCodeMissesPerAddress', '2001:db8:1::/48', points * 16);
    expect(await guess(from('1', 2))).toBe(refused);
    expect(await guess(from('2', 2))).toBe(notFound);
    expect(points * 16 * 3).toBeLessThan(rateLimits.anonymousRoomCodeMissesOverall.points);
  });

  test('is stopped for an address, with whatever accounts', async () => {
    const meeting = await nolo.meeting(host);
    const guess = (address: string) =>
      meetingsErrorKindAndCode(
        nolo.meetings.getMeeting({ actorId: randomUUID(), roomCode: newRoomCode('meeting'), address }),
      );
    await spend('roomCodeMissesPerAddress', '192.0.2.77', rateLimits.roomCodeMissesPerAddress.points - 1);
    expect(await guess('192.0.2.77')).toBe(notFound);
    expect(await guess('192.0.2.77')).toBe(refused);
    expect(await guess('192.0.2.78')).toBe(notFound);
    expect(await access(stranger, meeting.roomCode, { address: '192.0.2.77' })).toMatchObject({ guarded: true });
  });

  test('counts misses of host-only actions as well', async () => {
    const meeting = await nolo.meeting(host);
    await spend('roomCodeMissesPerUser', stranger, rateLimits.roomCodeMissesPerUser.points - 2);
    const endMeetingRefusal = (roomCode: string) =>
      meetingsErrorKindAndCode(nolo.meetings.endMeeting({ actorId: stranger, roomCode, address: '' }));
    // An existing code looks like an unknown one.
    expect(await endMeetingRefusal(meeting.roomCode)).toBe(notFound);
    expect(await endMeetingRefusal(newRoomCode('meeting'))).toBe(notFound);
    for (const roomCode of [meeting.roomCode, newRoomCode('meeting')])
      expect(await endMeetingRefusal(roomCode)).toBe(refused);
  });
});

test('a network with very many guests has limited lobby places, but nobody is refused a pass', async () => {
  const meeting = await nolo.meeting(host, { requireAuth: false });
  const { id: guestMeetingId, roomCode } = meeting;
  const address = '2001:db8:77:1::1';
  const come = async (from: string, inviteToken = '') => {
    const { guest } = await createGuestPass(roomCode, { address: from, inviteToken });
    return meetingsErrorKindAndCode(
      nolo.enter(guest?.id ?? '', roomCode, { guestMeetingId, address: from, inviteToken }),
    );
  };
  await come(address);
  await spend('guestsPerAddress', '2001:db8:77:1::/64');
  for (let count = 1; count < limits.lobbyPlacesOfBusyNetwork; count += 1) expect(await come(address)).toBe('none');
  expect(await come(address)).toBe('conflict room_full');
  // Neighbors at the same site have made no attempts yet, and an invite link works anywhere.
  expect(await come('2001:db8:77:2::1')).toBe('none');
  expect(await come('198.51.100.7')).toBe('none');
  expect(await come(address, await invite(meeting))).toBe('none');
});

describe('a code that expires', () => {
  const rotate = (actorId: string, meeting: Meeting, expiresAt: Date | undefined) =>
    nolo.meetings.rotateRoomCode({ actorId, roomCode: meeting.roomCode, expiresAt });
  const inMinutes = (minutes: number) => new Date(nolo.clock.now().getTime() + minutes * 60_000);

  test('admits nobody new from then on, and past participants as before', async () => {
    const first = await nolo.meeting(host);
    expect(first.codeExpiresAt).toBeUndefined();
    const meeting = await rotate(host, first, inMinutes(60));
    expect(meeting.codeExpiresAt).toEqual(inMinutes(60));
    await nolo.enter(ben, meeting.roomCode);
    expect((await access(stranger, meeting.roomCode)).meeting?.codeExpiresAt).toBeUndefined();
    const inviteToken = await invite(meeting);
    nolo.clock.advance(60 * 60_000);
    expect(await meetingsErrorKindAndCode(access(stranger, meeting.roomCode))).toBe(notFound);
    expect(await meetingsErrorKindAndCode(nolo.enter(stranger, meeting.roomCode))).toBe(notFound);
    for (const who of [host, ben]) expect((await access(who, meeting.roomCode)).access).toBe('enter');
    // The link works independently of the code.
    expect((await access(stranger, meeting.roomCode, { inviteToken })).access).toBe('enter');
    const renewed = await rotate(host, meeting, undefined);
    expect(renewed.codeExpiresAt).toBeUndefined();
    expect((await access(stranger, renewed.roomCode)).access).toBe('enter');
  });

  test('expires at once on request of a host, and those inside are notified and stay', async () => {
    const meeting = await nolo.meeting(host);
    const inside = participantIdOf(await nolo.enter(ben, meeting.roomCode));
    const ended = await nolo.meetings.expireRoomCode(named(host, meeting));
    expect(ended).toMatchObject({ roomCode: meeting.roomCode, codeExpiresAt: nolo.clock.now() });
    expect(await meetingsErrorKindAndCode(access(stranger, meeting.roomCode))).toBe(notFound);
    const frame = await eventually(() => nolo.framesTo(ben, 'meeting_changed')[0]);
    expect(frame.data).toMatchObject({ meeting: { codeExpiresAt: nolo.clock.now().toISOString() } });
    expect(
      await meetingsErrorKindAndCode(nolo.rooms.react({ actorId: ben, participantId: inside, reaction: '👍' })),
    ).toBe('none');
  });

  test('can be set by hosts only, and never to the past', async () => {
    const meeting = await nolo.meeting(host);
    await nolo.enter(ben, meeting.roomCode);
    for (const [who, refusal] of [
      [ben, 'forbidden not_host'],
      [stranger, notFound],
    ] as const) {
      expect(await meetingsErrorKindAndCode(nolo.meetings.expireRoomCode(named(who, meeting)))).toBe(refusal);
      expect(await meetingsErrorKindAndCode(rotate(who, meeting, undefined))).toBe(refusal);
    }
    expect(await meetingsErrorKindAndCode(rotate(host, meeting, nolo.clock.now()))).toBe('invalid meeting_invalid');
    await nolo.meetings.endMeeting(named(host, meeting));
    expect(await meetingsErrorKindAndCode(nolo.meetings.expireRoomCode(named(host, meeting)))).toBe(
      'conflict meeting_over',
    );
  });
});
