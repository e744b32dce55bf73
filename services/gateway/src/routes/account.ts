import { routes } from '@nolo/api';
import type { Edge } from '../edge.ts';
import type { Bind } from '../http/bind.ts';
import { composeSelf } from './selfReply.ts';
import { askerMark, createBrowserMarks } from '../http/browserMarks.ts';

/** Makes the browser delete this site's local data and cached responses (decision 2). */
export const clearSiteData = '"cache", "storage"';

export function bindAccount(bind: Bind, edge: Edge): void {
  const { identity } = edge;

  bind(routes.deleteAccount, async ({ actor, rpc, response }) => {
    await identity.deleteAccount({ actorId: actor.userId, sessionId: actor.sessionId }, rpc);
    edge.sessions.recheck(actor.userId);
    edge.sessions.forget(response);
    createBrowserMarks(edge, askerMark).forget(response);
    response.setHeader('Clear-Site-Data', clearSiteData);
  });

  bind(routes.keepAccount, async ({ actor, rpc }) => {
    const row = await identity.keepAccount({ actorId: actor.userId, sessionId: actor.sessionId }, rpc);
    return composeSelf(edge, actor, rpc, row);
  });
}
