import { routes } from '@nolo/api';
import { isAppError } from '@nolo/kit/errors';
import { decodeJwt } from 'jose';
import * as oidc from 'openid-client';
import { navigatedFromOurPage } from '../domain/origins.ts';
import type { GatewayContext } from '../gatewayContext.ts';
import type { BindRoute, RouteCall } from '../http/routeBinder.ts';
import { clearSiteDataHeader } from '../http/browserSession.ts';
import type { Provider } from './provider.ts';
import { errorPageUrl, fetchSiteOf } from './signInPages.ts';

/** Page that asks for confirmation before signing out. */
const signOutQuestion = '/profile?sign_out=1';

/** Routes that end a session here and at the provider. */
export function bindLogout(
  bind: BindRoute,
  context: Pick<GatewayContext, 'identity' | 'sessions' | 'publicUrl' | 'origins'>,
  provider: Provider | undefined,
): void {
  const { identity, sessions, publicUrl, origins } = context;

  /** Ends the session, if any. Returns the hint for the provider's sign-out. */
  const endSession = async ({ request, rpc }: RouteCall<typeof routes.logout>): Promise<string | undefined> => {
    const actor = await sessions.find(request.headers, rpc, { whileClosed: true });
    if (!actor) return undefined;
    try {
      const ended = await identity.endSession({ actorId: actor.userId, sessionId: actor.sessionId }, rpc);
      sessions.recheck(actor.userId);
      return ended.idTokenHint;
    } catch (error) {
      if (isAppError(error) && error.kind === 'not_found') return undefined;
      throw error;
    }
  };

  bind(
    routes.logout,
    async (call) => {
      const { request, response } = call;
      // A foreign picture, link, or email must not sign people out. Our own pages and clients that present their token
      // do so directly; everyone else must confirm.
      const own = navigatedFromOurPage(
        { secFetchSite: fetchSiteOf(request), referer: request.headers.referer },
        origins,
      );
      if (!own && request.headers.authorization === undefined) {
        const actor = await sessions.find(request.headers, call.rpc, { whileClosed: true });
        response.redirect(302, actor ? signOutQuestion : '/');
        return;
      }
      const hint = await endSession(call);
      sessions.forget(response);
      response.setHeader('Clear-Site-Data', clearSiteDataHeader);
      response.redirect(302, (await endAtProvider(hint, provider, publicUrl)) ?? '/');
    },
    { errorPage: errorPageUrl },
  );
}

/** Returns the provider's sign-out page if the session began there and the provider has one and responds. */
async function endAtProvider(
  hint: string | undefined,
  provider: Provider | undefined,
  publicUrl: string,
): Promise<string | undefined> {
  if (!hint || !provider) return undefined;
  try {
    const configuration = await provider.configuration();
    // The session may predate a change of provider.
    if (decodeJwt(hint).iss !== configuration.serverMetadata().issuer) return undefined;
    if (configuration.serverMetadata().end_session_endpoint === undefined) return undefined;
    return oidc.buildEndSessionUrl(configuration, {
      id_token_hint: hint,
      post_logout_redirect_uri: `${publicUrl}/`,
    }).href;
  } catch {
    return undefined;
  }
}
