import type { Self } from '@nolo/api';
import { serverClock } from '../api/serverClock.ts';
import { withTimeout } from '../device/withTimeout.ts';
import { takeSessionAnswer } from './takeSessionAnswer.ts';
import { sessionStore } from './session.ts';
import { clearSessionMarker, hasSessionMarker, setSessionMarker } from './sessionMarker.ts';

/** Increases when another tab erases the device, which invalidates earlier requests. */
let epoch = 0;

/** Invalidates pending requests, whose responses no longer show who is signed in. */
export function discardPendingChecks(): void {
  epoch += 1;
}

async function requestSelf(): Promise<{ status: number; user: Self | null }> {
  try {
    const reply = await takeSessionAnswer();
    // The browser may have sent the request at the very start of the page.
    serverClock.answered(reply.headers, 0);
    return { status: reply.status, user: reply.ok ? ((await reply.json()) as Self) : null };
  } catch {
    serverClock.unanswered();
    return { status: 0, user: null };
  }
}

/** Maximum milliseconds that the server's response waits for the device, so that the app opens with all stored data. */
const deviceTimeoutMs = 2_000;

/**
 * Sends the first, silent request for the signed-in user (decision 1): no toast, no retry. Meanwhile, the app opens
 * with the user stored on the device. The response then confirms or ends that. The gateway's response is typed by its
 * contract, and the screens that use it check it again. Without a session marker, no request is sent: the response
 * would be 401, which every browser reports as an error of the page.
 */
export async function checkSession(remembered: Promise<Self | undefined> = Promise.resolve(undefined)): Promise<void> {
  const begun = epoch;
  const session = sessionStore.getState();
  if (!hasSessionMarker(localStorage, document.cookie)) return session.signedOut();
  const opened = remembered.then((known) => {
    const { status } = sessionStore.getState();
    if (known && begun === epoch && (status === 'unknown' || status === 'unreachable')) session.remembered(known);
  });
  const [{ status, user }] = await Promise.all([requestSelf(), withTimeout(deviceTimeoutMs, opened)]);
  if (begun !== epoch) return;
  const open = sessionStore.getState().status === 'signedIn';
  if (user) {
    setSessionMarker(localStorage);
    session.signedIn(user);
  } else if (status === 401) {
    if (open) return session.end();
    clearSessionMarker(localStorage);
    session.signedOut();
  } else if (!open) {
    session.unreachable();
  }
}
