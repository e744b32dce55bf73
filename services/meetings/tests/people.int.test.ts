import { randomUUID } from 'node:crypto';
import { limits } from '@nolo/rules';
import { eventually } from '@nolo/testing';
import { ben, carol, guestOf, host, inside, leave, moderate, node, nolo, refusedTo } from './peopleScene.ts';
import { testCapabilities, gatewayId, participantIdOf, meetingsErrorKindAndCode } from './startMeetings.ts';

const lose = (participantId: string) =>
  nolo.rooms.renewParticipants({ gatewayId, participantIds: [], lostParticipantIds: [participantId] });
const full = 'conflict room_full';
const tooMany = 'conflict too_many_devices';

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
