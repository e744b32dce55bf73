import type { Self } from '@nolo/api';
import { serverClock } from '../api/serverClock.ts';
import { withTimeout } from '../device/withTimeout.ts';
import { sessionAnswer } from './sessionAnswer.ts';
import { sessionStore } from './session.ts';
import { clearSessionMarker, hasSessionMarker, setSessionMarker } from './sessionMarker.ts';

/** Raised when another tab erases the device: what was asked before is no longer worth knowing. */
let epoch = 0;

/** Whatever a question brings that is still under way, it says nothing about who is here now. */
export function forgetQuestions(): void {
  epoch += 1;
}

async function ask(): Promise<{ status: number; user: Self | null }> {
  try {
    const reply = await sessionAnswer();
    // The browser may have sent the request while the page was only beginning.
    serverClock.heard(reply.headers, 0);
    return { status: reply.status, user: reply.ok ? ((await reply.json()) as Self) : null };
  } catch {
    serverClock.unanswered();
    return { status: 0, user: null };
  }
}

/** The server's answer waits this long for the device's, so that the app opens with all that was kept. */
const deviceTimeoutMs = 2_000;

/**
 * The first, silent question of who is signed in (decision 1): no toast, no second try. Meanwhile the app opens with
 * whom the device remembers; the answer then confirms that, or ends it. The answer is the gateway's own and typed by
 * its contract; the screens that use it check it again. Where no marker tells of a session nobody is asked: the answer
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
  const [{ status, user }] = await Promise.all([ask(), withTimeout(deviceTimeoutMs, opened)]);
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
