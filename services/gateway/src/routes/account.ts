import { routes } from '@nolo/api';
import type { GatewayContext } from '../gatewayContext.ts';
import type { BindRoute } from '../http/routeBinder.ts';
import { composeSelf } from '../mapping/selfReply.ts';
import { clearSiteDataHeader } from '../http/browserSession.ts';
import { verificationCookieOptions, createDeviceCookies } from '../http/deviceCookies.ts';

export function bindAccount(
  bind: BindRoute,
  context: Pick<GatewayContext, 'identity' | 'sessions' | 'config' | 'publicUrl' | 'chat' | 'calls'>,
): void {
  const { identity } = context;

  bind(routes.deleteAccount, async ({ actor, rpc, response }) => {
    await identity.deleteAccount({ actorId: actor.userId, sessionId: actor.sessionId }, rpc);
    context.sessions.recheck(actor.userId);
    context.sessions.forget(response);
    createDeviceCookies(context, verificationCookieOptions).forget(response);
    response.setHeader('Clear-Site-Data', clearSiteDataHeader);
  });

  bind(routes.keepAccount, async ({ actor, rpc }) => {
    const row = await identity.keepAccount({ actorId: actor.userId, sessionId: actor.sessionId }, rpc);
    return composeSelf(context, actor, rpc, row);
  });
}
