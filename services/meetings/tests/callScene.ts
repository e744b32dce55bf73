import type { Call, InitiateCallRequest } from '@nolo/proto/calls';
import { readCallSystemMessage } from '@nolo/rules';
import { eventually } from '@nolo/testing';
import { anInitiateCallRequest } from '@nolo/testing/protos';
import { startMeetings, type TestMeetings } from './startMeetings.ts';

/** Service under test. Importing this file starts it, and creates three people before each test. */
export let nolo: TestMeetings;
export let [alice, bob, carol] = ['', '', ''];

beforeAll(async () => {
  nolo = await startMeetings({ allowance: { participants: 3, minutes: null } });
});
afterAll(() => nolo.stop());
beforeEach(async () => {
  [alice, bob, carol] = [await nolo.person(), await nolo.person(), await nolo.person()];
  nolo.frames.length = 0;
  nolo.chat.messages.length = 0;
  nolo.chat.refusal = undefined;
  nolo.clock.advance(1_000);
});

export const device = (userId: string, which = 'phone') => `${which}-${userId.slice(0, 8)}`;
export const dial = (callerId: string, calleeId: string, more: Partial<InitiateCallRequest> = {}): Promise<Call> =>
  nolo.calls.initiateCall(
    anInitiateCallRequest({ actorId: callerId, calleeId, deviceId: device(callerId), isContact: true, ...more }),
  );
export const callRequest = (actorId: string, { id }: { id: string }, reason = '') => ({
  actorId,
  callId: id,
  deviceId: device(actorId),
  reason,
});
export const pickUp = (actorId: string, call: Call, which = 'phone') =>
  nolo.calls.answerCall({ ...callRequest(actorId, call), deviceId: device(actorId, which) });
export const hangUp = (actorId: string, call: Call, reason = '') =>
  nolo.calls.endCall(callRequest(actorId, call, reason));
export const see = (actorId: string, call: Call) => nolo.calls.getCall(callRequest(actorId, call));
export const change = (actorId: string, call: Call, what: { type?: string; mode?: string; status?: string }) =>
  nolo.calls.updateCall({
    type: undefined,
    mode: undefined,
    status: undefined,
    ...callRequest(actorId, call),
    ...what,
  });
export const invite = (actorId: string, call: Call, userId: string, isBlocked = false, callsFrom = 'everyone') =>
  nolo.calls.inviteToCall({ actorId, callId: call.id, userId, isBlocked, callsFrom });
export const states = (call: Call) => Object.fromEntries(call.participants.map(({ userId, state }) => [userId, state]));
export const listFrameTypes = (userId: string) => nolo.framesTo(userId).map(({ type }) => type);
export const talking = async () => {
  const call = await dial(alice, bob);
  return pickUp(bob, call);
};
/** Returns the call's entry in the conversation. */
export const systemMessagesOf = (call: Call) =>
  eventually(() => {
    const found = nolo.chat.messages.filter(({ content }) => readCallSystemMessage(content)?.callId === call.id);
    return found.length > 0 && found.map((one) => ({ ...one, read: readCallSystemMessage(one.content) }));
  });
