import type { CallType } from '@nolo/rules';
import { createStore } from 'zustand/vanilla';

/** Person to call: by an existing conversation, or by a user with whom one may have to be created. */
export type PersonTarget = { conversationId: string } | { userId: string };

/** A person, or everyone in a group. */
export type CallTarget = PersonTarget | { groupId: string };

export interface CallRequest {
  target: CallTarget;
  type: CallType;
}

/**
 * Connects call buttons, which are everywhere, with the code that runs calls, which is loaded later: requests wait here
 * until they are handled.
 */
export const callRequestStore = createStore<{
  wanted: CallRequest | null;
  /** Id of the call to answer once it rings in this tab. */
  toAnswer: string | null;
  /** True if the tab is in a call, or one rings in it. */
  busy: boolean;
}>(() => ({ wanted: null, toAnswer: null, busy: false }));

/** Milliseconds during which a call started from a list can be canceled, because a wrong press is likely there. */
export const cancelWindowMs = 2_000;

let soon: { key: string; timer: ReturnType<typeof setTimeout> } | null = null;

const keyOf = (target: CallTarget, type: CallType): string => `${type} ${Object.values(target).join()}`;

/** Cancels the call that is about to ring. Returns true if it was this one. */
export function cancelCallRequest(target: CallTarget, type: CallType): boolean {
  if (soon === null) return false;
  const mine = soon.key === keyOf(target, type);
  clearTimeout(soon.timer);
  soon = null;
  return mine;
}

/** Requests the call after a delay, unless it is canceled or another one is requested. */
export function requestCallSoon(target: CallTarget, type: CallType, onRequested: () => void): void {
  cancelCallRequest(target, type);
  const timer = setTimeout(() => {
    soon = null;
    requestCall(target, type);
    onRequested();
  }, cancelWindowMs);
  soon = { key: keyOf(target, type), timer };
}

export function requestCall(target: CallTarget, type: CallType): void {
  if (!callRequestStore.getState().busy) callRequestStore.setState({ wanted: { target, type } });
}

/** Requests to answer a call that rang outside of the page. */
export function requestCallAnswer(callId: string): void {
  callRequestStore.setState({ toAnswer: callId });
}
