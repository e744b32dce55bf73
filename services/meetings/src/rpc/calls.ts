import { isAppError } from '@nolo/kit/errors';
import { parseActorId, parseIdOrThrow, parseId, type ConversationId, type UserId } from '@nolo/kit/ids';
import { clampPageSize } from '@nolo/kit/pages';
import type { RpcHandler } from '@nolo/kit/rpc';
import { requireSwitchedOn } from '@nolo/installation/settings';
import type { CallServiceDefinition, SignalRequest } from '@nolo/proto/calls';
import { callTypes, limits } from '@nolo/rules';
import { parseCallId, parseDeviceId } from '../domain/actor.ts';
import {
  parseCallAudience,
  declineCallState,
  inviteToCallState,
  isCallHiddenFrom,
  leaveCallState,
  shouldCallRing,
  findCallPerson,
  updateCallState,
  type StoredCall,
  type CallPerson,
} from '../domain/call.ts';
import { readCallCursor, writeCallCursor } from '../domain/cursor.ts';
import {
  callInvalid,
  callNotFound,
  callOver,
  conversationNotFound,
  createMeetingsError,
  messagesNotAllowed,
  planLimitReached,
  requestLimitReached,
  userUnavailable,
} from '../errors.ts';
import { toCallReply } from './toCallReply.ts';
import type { Dependencies } from './dependencies.ts';

/**
 * Checks a stranger's call, which counts as a first message; answering accepts the chat (decision 39). Users who accept
 * calls from everyone but no messages are called without an entry in the chat. Invitations ring too, so this applies to
 * them as well.
 *
 * @throws request_limit, messages_not_allowed
 */
function demandLetIn(refusal: string | undefined, silent: boolean): void {
  if (refusal === 'request_limit') throw requestLimitReached(limits.messagesPerRequest);
  if (refusal === 'messages_not_allowed' && silent) throw messagesNotAllowed();
}

export function initiateCall({
  calling,
  rooms,
  clock,
  installation,
}: Dependencies): RpcHandler<typeof CallServiceDefinition.methods.initiateCall> {
  return async (request) => {
    requireSwitchedOn(installation, 'calls');
    const callerId = parseActorId(request.actorId);
    const calleeId = parseActorId(request.calleeId);
    const conversationId = parseIdOrThrow<ConversationId>(request.conversationId, conversationNotFound);
    const type = callTypes.find((one) => one === request.type);
    if (!type || calleeId === callerId) throw callInvalid('The call type or the callee is invalid.');
    const deviceId = parseDeviceId(request.deviceId);
    if (request.isBlocked) throw userUnavailable();
    // Strangers must not learn each other's address, and some users hide theirs from everyone (decision 19).
    const relayed = !request.isContact || (await calling.store.anyRelays([callerId, calleeId]));
    const mode = relayed ? 'room' : 'direct';
    const { isContact, isAccepted = false } = request;
    const silent = !shouldCallRing(parseCallAudience(request.callsFrom), { isContact, isAccepted });
    demandLetIn(request.requestRefusal, silent);
    const changes = await calling.store.begin(
      { conversationId, type, mode, callerId, calleeId, deviceId, silent },
      clock.now(),
    );
    return toCallReply(rooms, calling.changed(changes));
  };
}

export function getCall({ calling, rooms }: Dependencies): RpcHandler<typeof CallServiceDefinition.methods.getCall> {
  return async (request) => {
    const actorId = parseActorId(request.actorId);
    const call = await calling.store.find(parseCallId(request.callId));
    if (!call || !findCallPerson(call, actorId) || isCallHiddenFrom(call, actorId)) throw callNotFound();
    return toCallReply(rooms, call);
  };
}

const defaultPageSize = 50;

export function listCalls({
  calling,
  rooms,
}: Dependencies): RpcHandler<typeof CallServiceDefinition.methods.listCalls> {
  return async (request) => {
    const actorId = parseActorId(request.actorId);
    const limit = clampPageSize(request.limit, defaultPageSize, limits.callsPerPage);
    // Queries one row more than requested to detect a next page.
    const rows = await calling.store.list(actorId, { place: readCallCursor(request.cursor), limit: limit + 1 });
    const page = rows.slice(0, limit);
    const last = page.at(-1);
    return {
      calls: await Promise.all(page.map(({ call }) => toCallReply(rooms, call))),
      nextCursor: last && rows.length > limit ? writeCallCursor(last.place) : undefined,
    };
  };
}

export function answerCall({
  calling,
  rooms,
  clock,
  deliver,
  log,
}: Dependencies): RpcHandler<typeof CallServiceDefinition.methods.answerCall> {
  return async (request) => {
    const actorId = parseActorId(request.actorId);
    const callId = parseCallId(request.callId);
    const deviceId = parseDeviceId(request.deviceId);
    if (deviceId === '') throw callInvalid('A call must be answered on a device.');
    const signalData = request.signalJson === undefined ? undefined : signalFrom(request.signalJson);
    const call = calling.changed(await calling.store.answer(callId, actorId, deviceId, clock.now()));
    const caller = findCallPerson(call, call.callerId);
    if (signalData !== undefined && caller && call.mode === 'direct') {
      // The call is answered anyway; the two request missing signals from each other.
      deliver(signalFrame(call, { userId: actorId, deviceId }, caller, signalData)).catch((error: unknown) =>
        log.warn({ err: error }, 'forwarding the answer to a call failed'),
      );
    }
    return toCallReply(rooms, call);
  };
}

export function declineCall({
  calling,
  rooms,
}: Dependencies): RpcHandler<typeof CallServiceDefinition.methods.declineCall> {
  return async (request) => {
    const actorId = parseActorId(request.actorId);
    return toCallReply(
      rooms,
      await calling.change(parseCallId(request.callId), actorId, (call, now) => declineCallState(call, actorId, now)),
    );
  };
}

export function endCall({ calling, rooms }: Dependencies): RpcHandler<typeof CallServiceDefinition.methods.endCall> {
  return async (request) => {
    const actorId = parseActorId(request.actorId);
    const failed = request.reason === 'failed';
    const callId = request.callId ? parseCallId(request.callId) : (await calling.store.current(actorId))?.id;
    if (callId === undefined) throw callNotFound();
    return toCallReply(
      rooms,
      await calling.change(callId, actorId, (call, now) => leaveCallState(call, actorId, now, failed)),
    );
  };
}

/**
 * Returns the call of a signal without a call ID. Simple clients can only answer by signaling, so this answers a
 * ringing call.
 *
 * @throws call_not_found, call_busy, call_invalid
 */
async function currentCall(
  { calling, clock }: Dependencies,
  request: SignalRequest,
  actorId: UserId,
): Promise<StoredCall> {
  const targetUserId = parseId<UserId>(request.targetUserId);
  const found = targetUserId ? await calling.store.current(actorId, targetUserId) : undefined;
  if (!found) throw callNotFound();
  // A signal with an ID may have been in flight while the call moved; without one, the client does not know of the
  // move.
  if (found.mode !== 'direct') throw callInvalid('This call runs through the server. Join its room.');
  if (findCallPerson(found, actorId)?.state !== 'ringing') return found;
  return calling.changed(await calling.store.answer(found.id, actorId, parseDeviceId(request.deviceId), clock.now()));
}

/** @throws signal_too_large, call_invalid */
function signalFrom(json: string): unknown {
  if (Buffer.byteLength(json) > limits.callSignalBytes) {
    throw createMeetingsError('too_large', 'signal_too_large', 'This signal is too large.');
  }
  try {
    return JSON.parse(json) as unknown;
  } catch {
    throw callInvalid('The signal is invalid.');
  }
}

function signalFrame(
  call: StoredCall,
  sender: Pick<CallPerson, 'userId' | 'deviceId'>,
  target: CallPerson,
  signalData: unknown,
): Parameters<Dependencies['deliver']>[0] {
  return {
    recipients: [target.userId],
    frame: {
      type: 'webrtc_signal',
      data: {
        callId: call.id,
        senderUserId: sender.userId,
        deviceId: sender.deviceId,
        targetDeviceId: target.deviceId === '' ? null : target.deviceId,
        signalData,
      },
    },
  };
}

/**
 * Requires that the two may exchange signals. While a call rings, the caller and all ringing devices may prepare for
 * the answer, but an unanswered call must not reveal an address.
 *
 * @throws call_invalid
 */
function demandAnswered(call: StoredCall, sender: CallPerson, target: CallPerson, request: SignalRequest): void {
  if (sender.state === 'joined' && target.state === 'joined') return;
  const prepares =
    (sender.state === 'calling' && target.state === 'ringing') ||
    (sender.state === 'ringing' && target.state === 'calling');
  // Descriptions contain candidates as lines, and single candidates contain that word as a name.
  const isPrivate = !/candidate/i.test(request.signalJson);
  if (!request.callId || !prepares || !isPrivate) throw callInvalid('This call has not been answered.');
}

/** Forwards a description or candidate to the device that the other person uses. Nothing is stored. */
export function signal(dependencies: Dependencies): RpcHandler<typeof CallServiceDefinition.methods.signal> {
  const { calling, deliver } = dependencies;
  return async (request) => {
    const actorId = parseActorId(request.actorId);
    const signalData = signalFrom(request.signalJson);
    const call = request.callId
      ? await calling.store.find(parseCallId(request.callId))
      : await currentCall(dependencies, request, actorId);
    const sender = call && findCallPerson(call, actorId);
    const target = call?.people.find(({ userId }) => userId === request.targetUserId);
    if (!call || !sender || !target || sender === target) throw callNotFound();
    if (call.status === 'ended' || target.state === 'left') throw callOver();
    demandAnswered(call, sender, target, request);
    if (sender.deviceId !== '' && sender.deviceId !== request.deviceId)
      throw callInvalid('You are in this call on another device.');
    // Signals in flight while the call moved to the SFU are obsolete.
    if (call.mode !== 'direct' || isCallHiddenFrom(call, target.userId)) return {};
    await deliver(signalFrame(call, { userId: actorId, deviceId: request.deviceId }, target, signalData));
    return {};
  };
}

export function updateCall({
  calling,
  rooms,
}: Dependencies): RpcHandler<typeof CallServiceDefinition.methods.updateCall> {
  return async (request) => {
    const actorId = parseActorId(request.actorId);
    const deviceId = parseDeviceId(request.deviceId);
    const { type, mode, status } = request;
    return toCallReply(
      rooms,
      await calling.change(parseCallId(request.callId), actorId, (call) =>
        updateCallState(call, actorId, deviceId, { type, mode, status }),
      ),
    );
  };
}

export function inviteToCall({
  calling,
  rooms,
  clock,
  allowanceOf,
}: Dependencies): RpcHandler<typeof CallServiceDefinition.methods.inviteToCall> {
  return async (request) => {
    const actorId = parseActorId(request.actorId);
    const callId = parseCallId(request.callId);
    const invitedId = parseActorId(request.userId);
    const known = await calling.store.find(callId);
    if (!known || !findCallPerson(known, actorId)) throw callNotFound();
    if (request.isBlocked) throw userUnavailable();
    // The caller's plan limits the number of people (decision 21).
    const { participants: maxPeople } = await allowanceOf(known.callerId);
    const { isContact = false, isAccepted = false } = request;
    const silent = !shouldCallRing(parseCallAudience(request.callsFrom), { isContact, isAccepted });
    demandLetIn(request.requestRefusal, silent);
    const change = await calling.store
      .changeFor(callId, invitedId, (call, busy) =>
        inviteToCallState(call, actorId, invitedId, { busy, maxPeople, silent, now: clock.now() }),
      )
      .catch((error: unknown) => {
        const isFull = isAppError(error) && error.code === 'room_full';
        throw isFull && known.callerId === actorId && maxPeople < limits.meetingParticipantsMax
          ? planLimitReached(maxPeople, maxPeople)
          : error;
      });
    return toCallReply(rooms, calling.changed(change ? [change] : []));
  };
}

export function getCallPreferences({
  calling,
}: Dependencies): RpcHandler<typeof CallServiceDefinition.methods.getCallPreferences> {
  return async (request) => ({ relayCalls: await calling.store.anyRelays([parseActorId(request.actorId)]) });
}

export function updateCallPreferences({
  calling,
}: Dependencies): RpcHandler<typeof CallServiceDefinition.methods.updateCallPreferences> {
  return async (request) => {
    const actorId = parseActorId(request.actorId);
    if (request.relayCalls !== undefined) await calling.store.setRelays(actorId, request.relayCalls);
    return { relayCalls: await calling.store.anyRelays([actorId]) };
  };
}

export function getIceServers({
  iceServers,
}: Dependencies): RpcHandler<typeof CallServiceDefinition.methods.getIceServers> {
  return async (request) => ({ iceServersJson: iceServers(parseActorId(request.actorId)) });
}
