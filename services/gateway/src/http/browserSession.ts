import { createInternalError } from '@nolo/kit/errors';
import type { RpcCallOptions } from '@nolo/kit/rpc';
import type { SignInReply } from '@nolo/proto/identity';
import type { Clients } from '../clients.ts';
import type { HttpContext } from './httpContext.ts';

/** Makes the browser delete this site's local data and cached responses (decision 2). */
export const clearSiteDataHeader = '"cache", "storage"';

/** Returns the session of a completed sign-in. */
export function requireSession({ token, sessionId }: SignInReply): { token: string; sessionId: string } {
  if (!token || !sessionId) throw createInternalError(new Error('identity returned no session.'));
  return { token, sessionId };
}

/** Ends a session that is being replaced. A failure does not prevent the new session. */
export async function endSessionQuietly(
  context: Pick<HttpContext, 'sessions' | 'log'> & Pick<Clients, 'identity'>,
  who: { userId: string; sessionId: string },
  call: RpcCallOptions,
): Promise<void> {
  try {
    await context.identity.endSession({ actorId: who.userId, sessionId: who.sessionId }, call);
    context.sessions.recheck(who.userId);
  } catch (error) {
    context.log.warn({ err: error, requestId: call.requestId }, 'ending a replaced session failed');
  }
}
