import type { CallId, ConversationId, UserId } from '@nolo/kit/ids';
import {
  audiences,
  isInAudience,
  isCallId,
  type Audience,
  type CallEndReason,
  type CallStatus,
  type CallType,
} from '@nolo/rules';
import { callAnsweredElsewhere, callInvalid, callOver, roomFull } from '../errors.ts';

export type CallMode = 'direct' | 'room';
export type CallPersonState = 'calling' | 'ringing' | 'joined' | 'declined' | 'missed' | 'busy' | 'left';

/** State of one person in a call. */
export interface CallPerson {
  readonly userId: UserId;
  /** Device that called or answered. Empty before. */
  readonly deviceId: string;
  readonly state: CallPersonState;
  /** Time when they called, or when it began to ring for them. */
  readonly since: Date;
  /** True if the person does not accept the caller's calls. They hear and see nothing of it while nobody answers. */
  readonly silent: boolean;
}

export interface StoredCall {
  readonly id: CallId;
  readonly conversationId: ConversationId;
  readonly type: CallType;
  readonly status: CallStatus;
  readonly mode: CallMode;
  readonly callerId: UserId;
  /** People, with the caller first. */
  readonly people: readonly CallPerson[];
  readonly endReason: CallEndReason | null;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly endedAt: Date | null;
  /** Time since which nobody in the call has a socket. Null while someone has one. */
  readonly aloneSince: Date | null;
  /** Number of changes of the row, set by the database. */
  readonly version: number;
}

/**
 * State transitions of a call. Each step takes a call and returns its new state, or the same object if nothing changes.
 * Callers lock the call's row while storing the result, so concurrent steps run in order.
 */

export interface NewCall {
  readonly conversationId: ConversationId;
  readonly type: CallType;
  readonly mode: CallMode;
  readonly callerId: UserId;
  readonly calleeId: UserId;
  /** Caller's device. */
  readonly deviceId: string;
  /** True if the callee does not accept the caller's calls. */
  readonly silent?: boolean;
}

/** Returns the ID prefix of calls to this person, as opposed to calls they were invited to later. */
export const callIdPrefix = (calleeId: UserId): string => `call-${calleeId}-`;

export function createCallId(calleeId: UserId, milliseconds: number): CallId {
  return `${callIdPrefix(calleeId)}${milliseconds}` as CallId;
}

/** True if a room ID, or a client's name for a room, belongs to a call. */
export function isCallRoomId(id: string): id is CallId {
  return isCallId(id);
}

/** Creates a call that starts ringing, or one that ends at once because the callee is in another call. */
export function beginCallState(id: CallId, requested: NewCall, busy: boolean, now: Date): StoredCall {
  const call: StoredCall = {
    id,
    conversationId: requested.conversationId,
    type: requested.type,
    status: 'ringing',
    mode: requested.mode,
    callerId: requested.callerId,
    people: [
      { userId: requested.callerId, deviceId: requested.deviceId, state: 'calling', since: now, silent: false },
      {
        userId: requested.calleeId,
        deviceId: '',
        state: busy ? 'busy' : 'ringing',
        since: now,
        silent: requested.silent ?? false,
      },
    ],
    endReason: null,
    createdAt: now,
    startedAt: null,
    endedAt: null,
    aloneSince: null,
    version: 0,
  };
  return settle(call, now);
}

export function findCallPerson(call: StoredCall, userId: UserId): CallPerson | undefined {
  return call.people.find((one) => one.userId === userId);
}

export function isTalkingInCall({ state }: CallPerson): boolean {
  return state === 'joined' || state === 'calling';
}

/**
 * Returns true if the person must not know of the call: while it rings silently, or at all if someone else was called
 * and this person was invited. To the caller it looks unanswered, as with people who are away, which reveals less than
 * a refusal.
 */
export function isCallHiddenFrom(call: StoredCall, userId: UserId): boolean {
  const person = findCallPerson(call, userId);
  return person !== undefined && person.silent && (isRinging(person) || !call.id.startsWith(callIdPrefix(userId)));
}

/** Returns whether a call rings. Callers whose chat was accepted are not strangers (decision 39). */
export function shouldCallRing(callsFrom: Audience, caller: { isContact: boolean; isAccepted: boolean }): boolean {
  return isInAudience(callsFrom, caller.isContact || caller.isAccepted);
}

/** Parses the choice. Unknown values count as the default. */
export const parseCallAudience = (value: string | undefined): Audience =>
  audiences.find((one) => one === value) ?? 'contacts';

function isRinging({ state }: CallPerson): boolean {
  return state === 'ringing';
}

function withPerson(call: StoredCall, userId: UserId, change: Partial<CallPerson>): StoredCall {
  const people = call.people.map((one) => (one.userId === userId ? { ...one, ...change } : one));
  return { ...call, people };
}

function demandOpen(call: StoredCall): void {
  if (call.status === 'ended') throw callOver();
}

function over(call: StoredCall, reason: CallEndReason, at: Date): StoredCall {
  const people = call.people.map((one): CallPerson => {
    if (isTalkingInCall(one)) return { ...one, state: 'left' };
    return isRinging(one) ? { ...one, state: 'missed' } : one;
  });
  return { ...call, people, status: 'ended', endReason: reason, endedAt: at };
}

/** Ends a call in which at most one person is left. */
function settle(call: StoredCall, now: Date, reason: CallEndReason = 'completed'): StoredCall {
  if (call.status === 'ended') return call;
  const talking = call.people.filter(isTalkingInCall).length;
  const ringing = call.people.filter(isRinging).length;
  if (talking > 0 && talking + ringing > 1) return call;
  if (call.status !== 'ringing') return over(call, reason, now);
  // The call was not answered. If the caller is still there, the others determine the reason.
  if (talking === 0) return over(call, 'cancelled', now);
  const states = new Set(call.people.map(({ state }) => state));
  return over(call, states.has('declined') ? 'declined' : states.has('busy') ? 'busy' : 'missed', now);
}

/** @throws call_over, call_answered_elsewhere, call_invalid */
export function answerCallState(call: StoredCall, userId: UserId, deviceId: string, now: Date): StoredCall {
  const person = findCallPerson(call, userId);
  if (person?.state === 'joined' && call.status !== 'ended') {
    if (person.deviceId === deviceId) return call;
    throw callAnsweredElsewhere();
  }
  demandOpen(call);
  if (person?.state === 'calling') throw callInvalid('Only the callee can answer a call.');
  if (person?.state !== 'ringing') throw callOver();
  const joined = withPerson(call, userId, { state: 'joined', deviceId, silent: false });
  if (call.status !== 'ringing') return joined;
  return { ...withPerson(joined, call.callerId, { state: 'joined' }), status: 'connecting', startedAt: now };
}

/** @throws call_over, call_answered_elsewhere, call_invalid */
export function declineCallState(call: StoredCall, userId: UserId, now: Date): StoredCall {
  demandOpen(call);
  const state = findCallPerson(call, userId)?.state;
  if (state === 'declined') return call;
  if (state === 'joined') throw callAnsweredElsewhere();
  if (state === 'calling') throw callInvalid('Only the callee can decline a call.');
  if (state !== 'ringing') throw callOver();
  return settle(withPerson(call, userId, { state: 'declined' }), now);
}

/** Hangs up, cancels a ringing call, or declines it. Repeating it has no effect. */
export function leaveCallState(call: StoredCall, userId: UserId, now: Date, failed = false): StoredCall {
  const person = findCallPerson(call, userId);
  if (call.status === 'ended' || !person) return call;
  if (isRinging(person)) return declineCallState(call, userId, now);
  if (!isTalkingInCall(person)) return call;
  return settle(withPerson(call, userId, { state: 'left' }), now, failed ? 'failed' : 'completed');
}

/** Stops ringing after the timeout, or because the person answered another call. */
export function stopRingingState(call: StoredCall, userId: UserId, state: 'missed' | 'busy', now: Date): StoredCall {
  const person = findCallPerson(call, userId);
  if (call.status === 'ended' || !person || !isRinging(person)) return call;
  return settle(withPerson(call, userId, { state }), now);
}

export interface CallUpdate {
  readonly type?: string | undefined;
  readonly mode?: string | undefined;
  readonly status?: string | undefined;
}

/** @throws call_over, call_invalid */
export function updateCallState(call: StoredCall, userId: UserId, deviceId: string, requested: CallUpdate): StoredCall {
  demandOpen(call);
  const person = findCallPerson(call, userId);
  if (!person || !isTalkingInCall(person)) throw callInvalid('You are not in this call.');
  if (deviceId !== '' && person.deviceId !== '' && person.deviceId !== deviceId) {
    throw callInvalid('You are in this call on another device.');
  }
  const { type, mode, status } = requested;
  if (type === undefined && mode === undefined && status === undefined) throw callInvalid('Specify what to change.');
  if (type !== undefined && type !== 'video') throw callInvalid('A call can only change to video.');
  if (mode !== undefined && mode !== 'room') throw callInvalid('A call can only move to the server.');
  if (status !== undefined && (status !== 'connected' || call.status === 'ringing')) {
    throw callInvalid('A call can only become connected, and only after it has been answered.');
  }
  const next: StoredCall = {
    ...call,
    type: type ?? call.type,
    mode: mode ?? call.mode,
    status: status ?? call.status,
  };
  const same = next.type === call.type && next.mode === call.mode && next.status === call.status;
  return same ? call : next;
}

/**
 * Rings another person. People who are already ringing or in the call are not asked again. @throws call_over,
 * call_invalid, room_full
 */
export function inviteToCallState(
  call: StoredCall,
  userId: UserId,
  invitedId: UserId,
  { busy, maxPeople, silent = false, now }: { busy: boolean; maxPeople: number; silent?: boolean; now: Date },
): StoredCall {
  demandOpen(call);
  if (findCallPerson(call, userId)?.state !== 'joined') throw callInvalid('You are not in this call.');
  const before = findCallPerson(call, invitedId);
  if (before && (isTalkingInCall(before) || isRinging(before))) return call;
  if (call.people.filter((one) => isTalkingInCall(one) || isRinging(one)).length >= maxPeople)
    throw roomFull(maxPeople);
  const state = busy && !silent ? 'busy' : 'ringing';
  const person: CallPerson = { userId: invitedId, deviceId: '', state, since: now, silent };
  const others = call.people.filter((one) => one !== before);
  // An invitee who is busy is no reason to end the direct connection of the two.
  return { ...call, people: [...others, person], mode: state === 'busy' ? call.mode : 'room' };
}

/** Ends a call whose time is up. */
export function finishCallState(call: StoredCall, now: Date): StoredCall {
  return call.status === 'ended' ? call : over(call, 'completed', now);
}

/** Ends a call whose people all disconnected without leaving. */
export function abandonCallState(call: StoredCall, at: Date): StoredCall {
  if (call.status === 'ended') return call;
  return over(call, call.status === 'connected' ? 'completed' : call.status === 'ringing' ? 'missed' : 'failed', at);
}

/** Returns whole seconds of talk, as the call's timer showed them. */
export function computeTalkSeconds({ startedAt, endedAt }: Pick<StoredCall, 'startedAt' | 'endedAt'>): number {
  if (!startedAt || !endedAt) return 0;
  return Math.max(0, Math.floor((endedAt.getTime() - startedAt.getTime()) / 1_000));
}
