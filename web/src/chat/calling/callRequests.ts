import type { CallType } from '@nolo/rules';
import { createStore } from 'zustand/vanilla';

/** Whom to call: by a conversation that is there, or by a person with whom one may have to be made. */
export type PersonTarget = { conversationId: string } | { userId: string };

/** A person, or everybody in a group. */
export type CallTarget = PersonTarget | { groupId: string };

export interface CallRequest {
  target: CallTarget;
  type: CallType;
}

/**
 * Between the buttons that call, which are everywhere, and what runs calls, which comes over the line a little later:
 * what is asked for waits here until it is taken up.
 */
export const callRequests = createStore<{
  wanted: CallRequest | null;
  /** The call that is to be answered once it rings in this tab. */
  toAnswer: string | null;
  /** Whether the tab is in a call, or one rings in it. */
  busy: boolean;
}>(() => ({ wanted: null, toAnswer: null, busy: false }));

/** How long a call that was asked for from a list, where one is easily beside the mark, can be taken back. */
export const takeBackMs = 2_000;

let soon: { key: string; timer: ReturnType<typeof setTimeout> } | null = null;

const keyOf = (target: CallTarget, type: CallType): string => `${type} ${Object.values(target).join()}`;

/** Takes back the call that is about to ring; true where it was this one. */
export function takeBackCall(target: CallTarget, type: CallType): boolean {
  if (soon === null) return false;
  const mine = soon.key === keyOf(target, type);
  clearTimeout(soon.timer);
  soon = null;
  return mine;
}

/** Asks for the call in a moment, unless it is taken back or another one is asked for. */
export function requestCallSoon(target: CallTarget, type: CallType, onAsked: () => void): void {
  takeBackCall(target, type);
  const timer = setTimeout(() => {
    soon = null;
    requestCall(target, type);
    onAsked();
  }, takeBackMs);
  soon = { key: keyOf(target, type), timer };
}

export function requestCall(target: CallTarget, type: CallType): void {
  if (!callRequests.getState().busy) callRequests.setState({ wanted: { target, type } });
}

/** Somebody said yes to a call where it rang outside of the page. */
export function requestAnswer(callId: string): void {
  callRequests.setState({ toAnswer: callId });
}
