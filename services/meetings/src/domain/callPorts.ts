import type { CallId, UserId } from '@nolo/kit/ids';
import type { StoredCall, NewCall } from './call.ts';

/** Port for calls in PostgreSQL, implemented by store/calls.ts. */

/** Position in the list of calls: sort key of the last row returned. */
export interface CallListCursor {
  readonly since: Date;
  readonly callId: CallId;
}

/** Result of a step. `before` is undefined if the call has just begun. */
export interface CallChange {
  readonly before: StoredCall | undefined;
  readonly after: StoredCall;
}

export interface CallStore {
  find(callId: CallId): Promise<StoredCall | undefined>;
  /**
   * Returns the call that a person is in, or else the latest that rings for them. `otherId`: only calls with this
   * person.
   */
  current(userId: UserId, otherId?: UserId): Promise<StoredCall | undefined>;
  /** Returns true if the person called or answered, has not left, and the call is in an SFU room. */
  mayEnterRoom(callId: CallId, userId: UserId): Promise<boolean>;
  list(
    userId: UserId,
    page: { place: CallListCursor | undefined; limit: number },
  ): Promise<{ call: StoredCall; place: CallListCursor }[]>;
  /** Runs one step with the call locked and stores the result with its frames. Undefined if the call is gone. */
  change(callId: CallId, step: (call: StoredCall) => StoredCall): Promise<CallChange | undefined>;
  /**
   * Starts a call under a free ID. If the callee is calling the caller at this moment, that ringing call is answered
   * instead. Returns every call that changed, the caller's first.
   *
   * @throws call_busy
   */
  begin(newCall: NewCall, now: Date): Promise<CallChange[]>;
  /**
   * Answers a call. All other calls that ring for the person find them busy. Returns every call that changed, this one
   * first.
   */
  answer(callId: CallId, userId: UserId, deviceId: string, now: Date): Promise<CallChange[]>;
  /** Runs a step that depends on whether another person is in a different call. */
  changeFor(
    callId: CallId,
    userId: UserId,
    step: (call: StoredCall, busy: boolean) => StoredCall,
  ): Promise<CallChange | undefined>;
  /** Returns people for whom a call has been ringing since before this time. */
  ringingSince(before: Date, limit: number): Promise<{ callId: CallId; userId: UserId }[]>;
  /** Returns when the longest current ring started. */
  ringsSince(): Promise<Date | undefined>;
  /** Returns calls that were answered and have not ended, by ID. */
  answered(after: string, limit: number): Promise<StoredCall[]>;
  setAlone(callId: CallId, since: Date | null): Promise<void>;
  /** Sets when the plan ends a call. An existing time stays until null clears it. */
  setEndsAt(callId: CallId, endsAt: Date | null): Promise<void>;
  /** Returns open calls that the plan ends before `before`, earliest first. */
  ending(before: Date): Promise<{ callId: CallId; endsAt: Date }[]>;
  /** Returns when the next open call is due for its end or for the warning `warningMinutes` earlier. */
  nextEnding(warningMinutes: number): Promise<Date | undefined>;
  /** Returns true for the caller that set it. */
  markWarned(callId: CallId): Promise<boolean>;
  /** Returns ended calls to write into their conversations. They are returned again later unless they are done. */
  takeCallsWithoutSystemMessage(now: Date, retryAt: Date, limit: number): Promise<StoredCall[]>;
  completeSystemMessage(callId: CallId): Promise<void>;
  /** Returns calls in which a person is ringing, calling, or talking. */
  openOf(userId: UserId): Promise<CallId[]>;
  /** Removes an account from all ended calls. */
  forget(userId: UserId): Promise<void>;
  /** Returns true if one of them wants calls to go through the SFU. */
  anyRelays(userIds: readonly UserId[]): Promise<boolean>;
  setRelays(userId: UserId, relays: boolean): Promise<void>;
  countOpen(): Promise<number>;
}
