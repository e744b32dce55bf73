import { parseActorId, parseId, type SessionId } from '@nolo/kit/ids';
import type { RequestingSession } from '../domain/securityPorts.ts';
import { createIdentityError } from '../errors.ts';

/** Actions that could take over an account require more than a session, which may be stolen (decision 38). */
export function proofRequired() {
  return createIdentityError('forbidden', 'proof_required', "Please confirm it's you.");
}

export function proofMismatch() {
  return createIdentityError('forbidden', 'proof_mismatch', 'That does not belong to your account.');
}

export function identityLimitReached() {
  return createIdentityError('conflict', 'identity_limit', 'This account has reached the limit for sign-in methods.');
}

export function sessionInvalid() {
  return createIdentityError('unauthenticated', 'session_invalid', 'You are logged out.');
}

/** Parses the session ID. Proof requires a session. */
export function readSessionId(id: string | undefined): SessionId {
  const sessionId = parseId<SessionId>(id);
  if (!sessionId) throw proofRequired();
  return sessionId;
}

export function readRequestingSession({
  actorId,
  sessionId,
}: {
  actorId: string;
  sessionId: string;
}): RequestingSession {
  return { userId: parseActorId(actorId), sessionId: readSessionId(sessionId) };
}
