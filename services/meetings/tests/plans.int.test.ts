import type { Meeting } from '@nolo/proto/meetings';
import { eventually } from '@nolo/testing';
import { anInitiateCallRequest } from '@nolo/testing/protos';
import { participantIdOf, meetingsErrorKindAndCode, startMeetings, type TestMeetings } from './startMeetings.ts';

/** Host plan limits, as reported by billing (decisions 21 and 27). */

let nolo: TestMeetings;

beforeAll(async () => {
  nolo = await startMeetings({ plans: true });
});
afterAll(() => nolo.stop());
beforeEach(() => {
  nolo.billing.setAway(false);
  nolo.frames.length = 0;
});

const minutes = (count: number) => nolo.clock.advance(count * 60_000);
const asSeen = (actorId: string, { roomCode }: Meeting) => nolo.meetings.getMeeting({ actorId, roomCode, address: '' });
const people = (count: number) => Promise.all(Array.from({ length: count }, () => nolo.person()));

/** Creates a meeting with its host and a number of others inside. */
async function meetingOf(hostId: string, others: number): Promise<Meeting> {
  const meeting = await nolo.meeting(hostId);
  for (const who of [hostId, ...(await people(others))]) await nolo.enter(who, meeting.roomCode);
  return meeting;
}

const admitAll = (actorId: string, { roomCode }: Meeting) =>
  nolo.rooms.moderate({ actorId, roomCode, userId: '', action: 'admit' });

test("a meeting admits as many people as its host's plan allows, and more once that is raised", async () => {
  const host = await nolo.person();
  const meeting = await meetingOf(host, 3);
  expect(meeting.maxParticipants).toBe(4);
  const [fifth = ''] = await people(1);
  expect(await meetingsErrorKindAndCode(nolo.enter(fifth, meeting.roomCode))).toBe('conflict room_full');

  await nolo.billing.sell(host, 'plus');
  await eventually(async () => (await asSeen(host, meeting)).maxParticipants === 20);
  participantIdOf(await nolo.enter(fifth, meeting.roomCode));
  const changedFrame = await eventually(() => nolo.framesTo(host, 'meeting_changed').at(-1));
  expect(changedFrame.data).toMatchObject({ meeting: { maxParticipants: 20 } });
});

test('a host who admits more people than the plan allows learns what raises the limit', async () => {
  const host = await nolo.person();
  const meeting = await nolo.meeting(host, { waitingRoom: true });
  await nolo.enter(host, meeting.roomCode);
  for (const who of await people(4)) await nolo.enter(who, meeting.roomCode);
  await expect(admitAll(host, meeting)).rejects.toMatchObject({
    kind: 'plan_limited',
    code: 'plan_limit',
    details: { feature: 'participants', limit: 4, used: 4, liftedBy: ['plus', 'business'], addOn: null },
  });
  await nolo.billing.sell(host, 'plus');
  await eventually(async () => (await meetingsErrorKindAndCode(admitAll(host, meeting))) === 'none');
});

test('a meeting of three ends after the minutes of the plan, unless the plan was raised meanwhile', async () => {
  const [first, second] = await people(2);
  const ends = await meetingOf(first ?? '', 2);
  const goesOn = await meetingOf(second ?? '', 2);
  expect((await asSeen(first ?? '', ends)).endsAt).toEqual(new Date(nolo.clock.now().getTime() + 40 * 60_000));
  minutes(20);
  await nolo.billing.sell(second ?? '', 'plus');
  await eventually(async () => (await asSeen(second ?? '', goesOn)).endsAt === undefined);
  minutes(21);
  await eventually(() => nolo.framesTo(first ?? '', 'meeting_ended').length === 1);
  expect((await asSeen(second ?? '', goesOn)).status).toBe('live');
});

test('a lower plan takes nothing from a live meeting, and applies to the next', async () => {
  const host = await nolo.person();
  await nolo.billing.sell(host, 'plus');
  const meeting = await eventually(async () => {
    const made = await nolo.meeting(host);
    return made.maxParticipants === 20 ? made : undefined;
  });
  const inside = await people(5);
  const participants: string[] = [];
  for (const who of [host, ...inside]) participants.push(participantIdOf(await nolo.enter(who, meeting.roomCode)));
  await nolo.billing.sell(host, 'free');
  // Uses another meeting to detect that the change has arrived.
  await eventually(async () => (await nolo.meeting(host)).maxParticipants === 4);
  expect(await asSeen(host, meeting)).toMatchObject({ maxParticipants: 20, endsAt: undefined });
  participantIdOf(await nolo.enter((await people(1))[0] ?? '', meeting.roomCode));

  for (const [index, actorId] of [host, ...inside].entries()) {
    await nolo.rooms.leave({ actorId, participantId: participants[index] ?? '' });
  }
  await nolo.meetings.endMeeting({ actorId: host, roomCode: meeting.roomCode, address: '' });
  const next = await nolo.meeting(host);
  expect(next.maxParticipants).toBe(4);
});

test("a group call is as large as the caller's plan allows", async () => {
  const [caller = '', callee = '', ...more] = await people(6);
  const device = (userId: string) => `phone-${userId.slice(0, 8)}`;
  const call = await nolo.calls.initiateCall(
    anInitiateCallRequest({ actorId: caller, calleeId: callee, deviceId: device(caller) }),
  );
  const answer = (actorId: string) => nolo.calls.answerCall({ actorId, callId: call.id, deviceId: device(actorId) });
  const invite = (actorId: string, userId: string) =>
    nolo.calls.inviteToCall({ actorId, callId: call.id, userId, isBlocked: false, callsFrom: 'everyone' });
  await answer(callee);
  for (const who of more.slice(0, 2)) {
    await invite(caller, who);
    await answer(who);
  }
  await expect(invite(caller, more[2] ?? '')).rejects.toMatchObject({
    kind: 'plan_limited',
    code: 'plan_limit',
    details: { feature: 'participants', limit: 4, liftedBy: ['plus', 'business'] },
  });
  // Buying a plan does not help anyone but the plan's holder.
  expect(await meetingsErrorKindAndCode(invite(callee, more[2] ?? ''))).toBe('conflict room_full');
  await nolo.billing.sell(caller, 'plus');
  await eventually(async () => (await meetingsErrorKindAndCode(invite(caller, more[2] ?? ''))) === 'none');
});

test('an outage of billing applies the last known plan, or else the free plan', async () => {
  const [known = '', unknown = ''] = await people(2);
  await nolo.billing.sell(known, 'plus');
  await eventually(async () => (await nolo.meeting(known)).maxParticipants === 20);
  nolo.billing.setAway(true);
  minutes(60);
  expect((await nolo.meeting(known)).maxParticipants).toBe(20);
  expect((await nolo.meeting(unknown)).maxParticipants).toBe(4);
  minutes(25 * 60);
  expect((await nolo.meeting(known)).maxParticipants).toBe(4);
});
