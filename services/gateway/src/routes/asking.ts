import type { Actor } from '../http/session.ts';

/** Who asks for what takes a fresh proof: the service that owns it has identity look at the session. */
export const asking = ({ userId: actorId, sessionId }: Actor) => ({ actorId, sessionId });
