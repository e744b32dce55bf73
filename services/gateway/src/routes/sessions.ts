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
    if (params.id === actor.sessionId && actor.via === 'cookie') edge.sessions.forget(response);
  });

  bind(routes.endOtherSessions, async ({ actor, rpc }) =>
    edge.identity.endOtherSessions({ actorId: actor.userId, keepSessionId: actor.sessionId }, rpc),
  );
}
