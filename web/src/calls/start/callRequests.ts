import type { CallType } from '@nolo/rules';
import { createStore } from 'zustand/vanilla';

/** Whom to call: by a conversation that is there, or by a person with whom one may have to be made. */
export type CallTarget = { conversationId: string } | { userId: string };

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

export function requestCall(target: CallTarget, type: CallType): void {
  if (!callRequests.getState().busy) callRequests.setState({ wanted: { target, type } });
}

/** Somebody said yes to a call where it rang outside of the page. */
export function requestAnswer(callId: string): void {
  callRequests.setState({ toAnswer: callId });
}
