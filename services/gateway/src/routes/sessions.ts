import { routes } from '@nolo/api';
import type { Edge } from '../edge.ts';
import type { Bind } from '../http/bind.ts';
import { toSession } from './mapPeople.ts';

export function bindSessions(bind: Bind, edge: Edge): void {
  bind(routes.listSessions, async ({ actor, rpc }) => {
    const { sessions } = await edge.identity.listSessions({ actorId: actor.userId }, rpc);
    return sessions.map((session) => toSession(session, actor.sessionId));
  });

  bind(routes.endSession, async ({ actor, params, rpc, response }) => {
    await edge.identity.endSession({ actorId: actor.userId, sessionId: params.id }, rpc);
    edge.sessions.recheck(actor.userId);
    if (params.id === actor.sessionId && actor.via === 'cookie') edge.sessions.forget(response);
  });

  bind(routes.endOtherSessions, async ({ actor, rpc }) => {
    const { userId: actorId, sessionId: keepSessionId } = actor;
    const ended = await edge.identity.endOtherSessions({ actorId, keepSessionId }, rpc);
    edge.sessions.recheck(actorId);
    return ended;
  });
}
