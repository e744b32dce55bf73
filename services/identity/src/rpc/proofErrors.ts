import { actorFrom, parseId, type SessionId } from '@nolo/kit/ids';
import type { Asking } from '../domain/securityPorts.ts';
import { failIdentity } from '../errors.ts';

/** Actions that could take over an account require more than a session, which may be stolen (decision 38). */
export function proofRequired() {
  return failIdentity('forbidden', 'proof_required', "Please confirm it's you.");
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

/** Parses the session ID. Proof requires a session. */
export function readSessionId(id: string | undefined): SessionId {
  const sessionId = parseId<SessionId>(id);
  if (!sessionId) throw proofRequired();
  return sessionId;
}

export function readAsking({ actorId, sessionId }: { actorId: string; sessionId: string }): Asking {
  return { userId: actorFrom(actorId), sessionId: readSessionId(sessionId) };
}
