import { newId, type SessionId } from '@nolo/kit/ids';
import type { Device, SignInReply } from '@nolo/proto/identity';
import type { NewSession, SignedIn, SignInMethod } from '../domain/ports.ts';
import { hashToken, newToken, sessionLifetimeMs } from '../domain/sessions.ts';
import type { RpcDeps } from './deps.ts';
import { toSelf } from './replies.ts';
import { readUserAgent, userNotFound } from './requests.ts';

/** Makes the token and what is stored of it; both ways to sign in do this alike. */
export function newSession(
  now: Date,
  method: SignInMethod,
  device: Device | undefined,
  idToken: string | null,
): { token: string; session: NewSession } {
  const token = newToken();
  return {
    token,
    session: {
      id: newId<SessionId>(),
      tokenHash: hashToken(token),
      method,
      userAgent: readUserAgent(device),
      idToken,
      createdAt: now,
      expiresAt: new Date(now.getTime() + sessionLifetimeMs),
    },
  };
}

/** What follows a sign-in that is committed. */
export async function signInReply(
  deps: Pick<RpcDeps, 'accounts' | 'sessionCache' | 'metrics'>,
  { token, session }: { token: string; session: NewSession },
  signedIn: SignedIn,
): Promise<SignInReply> {
  if (signedIn.endedTokenHashes.length > 0) await deps.sessionCache.forget(signedIn.endedTokenHashes);
  deps.metrics.signIns.inc({ method: session.method, outcome: signedIn.created ? 'created' : 'known' });
  const account = await deps.accounts.find(signedIn.userId);
  // Deleted from another device in the blink since the commit.
  if (!account) throw userNotFound();
  return {
    token,
    sessionId: session.id,
    expiresAt: session.expiresAt,
    self: toSelf(account),
    created: signedIn.created,
  };
}
