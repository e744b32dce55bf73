import { routes } from '@nolo/api';
import type { GatewayContext } from '../gatewayContext.ts';
import type { BindRoute } from '../http/routeBinder.ts';
import { toSession } from '../mapping/people.ts';

export function bindSessions(bind: BindRoute, context: Pick<GatewayContext, 'identity' | 'sessions'>): void {
  bind(routes.listSessions, async ({ actor, rpc }) => {
    const { sessions } = await context.identity.listSessions({ actorId: actor.userId }, rpc);
    return sessions.map((session) => toSession(session, actor.sessionId));
  });

  bind(routes.endSession, async ({ actor, params, rpc, response }) => {
    await context.identity.endSession({ actorId: actor.userId, sessionId: params.id }, rpc);
    context.sessions.recheck(actor.userId);
    if (params.id === actor.sessionId && actor.via === 'cookie') context.sessions.forget(response);
  });

  bind(routes.endOtherSessions, async ({ actor, rpc }) => {
    const { userId: actorId, sessionId: keepSessionId } = actor;
    const ended = await context.identity.endOtherSessions({ actorId, keepSessionId }, rpc);
    context.sessions.recheck(actorId);
    return ended;
  });
}
