import { actorFrom, parseId, type SessionId } from '@nolo/kit/ids';
import type { Asking } from '../domain/securityPorts.ts';
import { failIdentity } from '../errors.ts';

/** Decision 38: what could take an account over wants more than a session that somebody may have got hold of. */
export function proofRequired() {
  return failIdentity('forbidden', 'proof_required', 'Please confirm that it is you.');
}

export function proofMismatch() {
  return failIdentity('forbidden', 'proof_mismatch', 'That does not belong to your account.');
}

export function identityLimit() {
  return failIdentity('conflict', 'identity_limit', 'This account has reached the limit for sign-in methods.');
}

export function sessionInvalid() {
  return failIdentity('unauthenticated', 'session_invalid', 'You are logged out.');
}

/** Without a session there is no proof. */
export function readSessionId(id: string | undefined): SessionId {
  const sessionId = parseId<SessionId>(id);
  if (!sessionId) throw proofRequired();
  return sessionId;
}

export function readAsking({ actorId, sessionId }: { actorId: string; sessionId: string }): Asking {
  return { userId: actorFrom(actorId), sessionId: readSessionId(sessionId) };
}
