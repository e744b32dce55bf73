import type { Self } from '@nolo/api';
import { sessionStore } from '../state/session.ts';
import { clearSessionMarker, hasSessionMarker, setSessionMarker } from '../state/sessionMarker.ts';

/**
 * The first, silent question of who is signed in (decision 1): no toast, no second try. The answer
 * is the gateway's own and typed by its contract; the screens that use it check it again.
 */
export async function checkSession(): Promise<void> {
  const session = sessionStore.getState();
  try {
    const reply = await fetch('/api/auth/user', { credentials: 'include' });
    if (reply.ok) {
      setSessionMarker(localStorage);
      session.signedIn((await reply.json()) as Self);
    } else if (reply.status === 401) {
      clearSessionMarker(localStorage);
      session.signedOut();
    } else {
      session.unreachable();
    }
  } catch {
    // Offline and never signed in is simply signed out; with a marker, say that nobody answered.
    if (hasSessionMarker(localStorage, document.cookie)) session.unreachable();
    else session.signedOut();
  }
}
