import type { RequestActor } from '../http/sessionAuthenticator.ts';

/**
 * Identifies the caller of an action that requires fresh proof. The owning service asks identity to check the session.
 */
export const callerOf = ({ userId: actorId, sessionId }: RequestActor) => ({ actorId, sessionId });
