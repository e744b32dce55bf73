import type { Actor } from '../http/session.ts';

/** Who asks for what only operators may do: identity holds the session against its last proof. */
export const asking = ({ userId: actorId, sessionId }: Actor) => ({ actorId, sessionId });
