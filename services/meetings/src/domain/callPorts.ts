import type { CallId, UserId } from '@nolo/kit/ids';
import type { Call, NewCall } from './call.ts';

/** What calls need from PostgreSQL; store/calls.ts implements it. */

/** A place in the list of calls: the sort key of the last row that was handed out. */
export interface CallPlace {
  readonly since: Date;
  readonly callId: CallId;
}

/** What a step made of a call; `before` is undefined where the call has just begun. */
export interface CallChange {
  readonly before: Call | undefined;
  readonly after: Call;
}

export interface CallStore {
  find(callId: CallId): Promise<Call | undefined>;
  /**
   * The call that somebody is in now, or else the latest that rings for them; with `otherId` of those with this person.
   */
  current(userId: UserId, otherId?: UserId): Promise<Call | undefined>;
  /** Whether somebody called or answered, has not left, and the call is in a room of the SFU. */
  mayEnterRoom(callId: CallId, userId: UserId): Promise<boolean>;
  list(
    userId: UserId,
    page: { place: CallPlace | undefined; limit: number },
  ): Promise<{ call: Call; place: CallPlace }[]>;
  /** Takes one step with the call locked, and stores what it made of it with its frames. Undefined where it is gone. */
  change(callId: CallId, step: (call: Call) => Call): Promise<CallChange | undefined>;
  /**
   * Begins a call under an id that is free. Where the callee calls the caller at this moment, the two are one: the call
   * that rings is answered. Answers every call that changed, the caller's first.
   *
   * @throws call_busy
   */
  begin(asked: NewCall, now: Date): Promise<CallChange[]>;
  /** Answers a call; whatever else rings for the person finds them busy. Answers every call that changed, this one first. */
  answer(callId: CallId, userId: UserId, deviceId: string, now: Date): Promise<CallChange[]>;
  /** Takes a step that depends on whether somebody else is in another call. */
  changeFor(callId: CallId, userId: UserId, step: (call: Call, busy: boolean) => Call): Promise<CallChange | undefined>;
  /** For whom it rings since before then. */
  ringingSince(before: Date, limit: number): Promise<{ callId: CallId; userId: UserId }[]>;
  /** Since when it rings for the one for whom it has rung longest. */
  ringsSince(): Promise<Date | undefined>;
  /** Calls that were answered and have not ended, by id. */
  answered(after: string, limit: number): Promise<Call[]>;
  setAlone(callId: CallId, since: Date | null): Promise<void>;
  /** When the plan ends a call; a time that is set already stays until it is taken back with null. */
  setEndsAt(callId: CallId, endsAt: Date | null): Promise<void>;
  /** Open calls that the plan ends before `before`, earliest first. */
  ending(before: Date): Promise<{ callId: CallId; endsAt: Date }[]>;
  /** When the next open call is to be warned, so long before its end, or ended. */
  nextEnding(warningMinutes: number): Promise<Date | undefined>;
  /** True for the one who sets it. */
  markWarned(callId: CallId): Promise<boolean>;
  /** Ended calls that are to be written into their conversation; they come again later unless they are done. */
  takeNotes(now: Date, again: Date, limit: number): Promise<Call[]>;
  noteDone(callId: CallId): Promise<void>;
  /** Calls in which somebody is called, calls or talks. */
  openOf(userId: UserId): Promise<CallId[]>;
  /** Takes an account out of all calls that are over. */
  forget(userId: UserId): Promise<void>;
  /** Whether one of them wants calls to go through the SFU. */
  anyRelays(userIds: readonly UserId[]): Promise<boolean>;
  setRelays(userId: UserId, relays: boolean): Promise<void>;
  countOpen(): Promise<number>;
}
