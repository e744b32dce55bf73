import { routes } from '@nolo/api';
import type { Request } from 'express';
import * as oidc from 'openid-client';
import { comesFromForeignPage, navigatedFromOurPage } from '../domain/origins.ts';
import { sanitizeReturnTo } from '../domain/returnTo.ts';
import type { GatewayContext } from '../gatewayContext.ts';
import type { BindRoute } from '../http/routeBinder.ts';
import type { Provider } from './provider.ts';
import type { SignInState, SignInStates } from './signInState.ts';
import {
  errorPageUrl,
  failedLinkUrl,
  failedPageUrl,
  failedSignInUrl,
  fetchSiteOf,
  linkPagePath,
  proofResultUrl,
  toSignInErrorCode,
} from './signInPages.ts';

const scope = 'openid email profile';

/** Route that starts a sign-in at the provider. */
export function bindLogin(
  bind: BindRoute,
  context: Pick<GatewayContext, 'security' | 'sessions' | 'publicUrl' | 'origins' | 'log'>,
  provider: Provider | undefined,
  states: SignInStates,
): void {
  const { security, sessions, publicUrl, origins } = context;
  const redirectUri = `${publicUrl}/api/callback`;
  const isForeign = (request: Request) =>
    comesFromForeignPage({ origin: undefined, secFetchSite: fetchSiteOf(request) }, origins);

  bind(
    routes.login,
    async ({ query, request, response, rpc }) => {
      // The cookie set here must return with the provider's response, so both need the same host. A proxy that rewrites
      // Host must not cause a redirect loop.
      const here = `http://${request.headers.host ?? ''}`;
      if (provider && here !== publicUrl && origins.has(here)) {
        response.redirect(302, `${publicUrl}${request.originalUrl}`);
        return;
      }
      if (!provider) {
        response.redirect(302, failedSignInUrl('unavailable'));
        return;
      }
      const returnTo = sanitizeReturnTo(query.returnTo);
      const actor = await sessions.find(request.headers, rpc);
      const { referer } = request.headers;
      // An attacker could sign a victim in at the provider as the attacker, then send them a link here. Such a link
      // must neither attach that identity to the victim's account nor replace the signed-in one.
      const purpose = query.link === '1' ? 'link' : query.prove === '1' ? 'prove' : 'signIn';
      if (
        purpose !== 'signIn' &&
        !(actor && navigatedFromOurPage({ secFetchSite: fetchSiteOf(request), referer }, origins))
      ) {
        response.redirect(302, purpose === 'link' ? failedLinkUrl('signed_out') : proofResultUrl('signed_out'));
        return;
      }
      if (purpose === 'signIn' && actor && isForeign(request)) {
        response.redirect(302, returnTo);
        return;
      }
      try {
        // Identity checks again when linking. Checking here avoids a needless trip to the provider.
        if (purpose === 'link' && actor) {
          const { validUntil } = await security.getProof({ actorId: actor.userId, sessionId: actor.sessionId }, rpc);
          if (!validUntil) {
            response.redirect(302, failedLinkUrl('proof_required'));
            return;
          }
        }
        const configuration = await provider.configuration();
        const verifier = oidc.randomPKCECodeVerifier();
        const value: SignInState = {
          state: oidc.randomState(),
          nonce: oidc.randomNonce(),
          verifier,
          purpose,
          returnTo: purpose === 'link' ? linkPagePath : returnTo,
          ...(purpose !== 'signIn' && actor ? { account: actor.userId, session: actor.sessionId } : {}),
        };
        const address = oidc.buildAuthorizationUrl(configuration, {
          redirect_uri: redirectUri,
          scope,
          state: value.state,
          nonce: value.nonce,
          code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
          code_challenge_method: 'S256',
          // The provider must not accept an earlier sign-in as proof of who is at the device now.
          ...(purpose === 'prove' ? { prompt: 'login', max_age: '0' } : {}),
        });
        await states.put(response, value);
        response.redirect(302, address.href);
      } catch (error) {
        response.redirect(302, failedPageUrl({ purpose }, toSignInErrorCode(context, error, rpc)));
      }
    },
    { errorPage: errorPageUrl },
  );
}
