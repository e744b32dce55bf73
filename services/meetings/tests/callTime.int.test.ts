import type { Call } from '@nolo/proto/calls';
import { limits } from '@nolo/rules';
import { eventually } from '@nolo/testing';
import { anInitiateCallRequest } from '@nolo/testing/protos';
import { participantIdOf, meetingsErrorKindAndCode, startMeetings, type TestMeetings } from './startMeetings.ts';

let nolo: TestMeetings;
let people: string[] = [];

beforeAll(async () => {
  nolo = await startMeetings({ allowance: { participants: 4, minutes: 40 } });
});
afterAll(() => nolo.stop());
beforeEach(async () => {
  people = await Promise.all(Array.from({ length: 5 }, () => nolo.person()));
  nolo.frames.length = 0;
  nolo.clock.advance(1_000);
});

const minutes = (count: number) => nolo.clock.advance(count * 60_000);
const device = (userId: string) => `phone-${userId.slice(0, 8)}`;
const callRequest = (actorId: string, call: Call) => ({
  actorId,
  callId: call.id,
  deviceId: device(actorId),
  reason: '',
});

/** Starts a call of two through the SFU, with both in the room. */
async function relayedCall(): Promise<Call> {
  const [caller = '', callee = ''] = people;
  const call = await nolo.calls.initiateCall(
    anInitiateCallRequest({ actorId: caller, calleeId: callee, deviceId: device(caller) }),
  );
  await nolo.calls.answerCall(callRequest(callee, call));
  for (const who of [caller, callee]) await nolo.enter(who, call.id);
  return call;
}

async function comesIn(call: Call, userId: string): Promise<string> {
  await nolo.calls.inviteToCall({
    actorId: people[0] ?? '',
    callId: call.id,
    userId,
    isBlocked: false,
    callsFrom: 'everyone',
  });
  await nolo.calls.answerCall(callRequest(userId, call));
  return participantIdOf(await nolo.enter(userId, call.id));
}

const status = async (call: Call) => (await nolo.calls.getCall(callRequest(people[0] ?? '', call))).status;
const warnings = () => nolo.framesTo(people[0] ?? '', 'meeting_time_warning').map(({ data }) => data);
const endsAt = async (call: Call) =>
  ((await nolo.db('calls').where({ id: call.id }).first('ends_at')) as { ends_at: Date | null }).ends_at;

test("a call of three ends after the time of the caller's plan, with a warning before", async () => {
  const call = await relayedCall();
  const began = nolo.clock.now().getTime();
  minutes(10);
  await comesIn(call, people[2] ?? '');
  const end = new Date(began + 40 * 60_000);
  expect(await endsAt(call)).toEqual(end);
  minutes(30 - limits.meetingWarningMinutes);
  await eventually(() => warnings().length === 1);
  expect(warnings()).toEqual([{ roomCode: call.id, endsAt: end.toISOString() }]);
  expect(await status(call)).not.toBe('ended');
  minutes(limits.meetingWarningMinutes);
  await eventually(async () => (await status(call)) === 'ended');
  const ended = await eventually(() => nolo.framesTo(people[2] ?? '', 'meeting_ended')[0]);
  expect(ended.data).toEqual({ roomCode: call.id, reason: 'time_limit' });
  expect(await meetingsErrorKindAndCode(nolo.enter(people[1] ?? '', call.id))).toBe('not_found call_not_found');
});

test('two people can talk without limit, even after a third has left', async () => {
  const call = await relayedCall();
  const third = people[2] ?? '';
  const participantId = await comesIn(call, third);
  await nolo.rooms.leave({ actorId: third, participantId });
  minutes(45);
  await eventually(async () => (await endsAt(call)) === null);
  expect(await status(call)).not.toBe('ended');
  minutes(500);
  // When the call has three people again, it still gets a warning before the end.
  await comesIn(call, people[3] ?? '');
  expect(await endsAt(call)).toEqual(new Date(nolo.clock.now().getTime() + limits.meetingWarningMinutes * 60_000));
});

test('a call admits no more people than the plan allows', async () => {
  const call = await relayedCall();
  await comesIn(call, people[2] ?? '');
  await comesIn(call, people[3] ?? '');
  expect(await meetingsErrorKindAndCode(comesIn(call, people[4] ?? ''))).toBe('plan_limited plan_limit');
});
