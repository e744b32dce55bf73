import { routes } from '@nolo/api';
import { isAppError, type AppError } from '@nolo/kit/errors';
import type { RpcCallOptions } from '@nolo/kit/rpc';
import type { Request } from 'express';
import { decodeJwt } from 'jose';
import * as oidc from 'openid-client';
import { comesFromForeignPage, navigatedFromOurPage } from '../domain/origins.ts';
import { safeReturnTo, withParameter } from '../domain/returnTo.ts';
import type { Edge } from '../edge.ts';
import type { Bind, Call } from '../http/bind.ts';
import { clearSiteData } from '../routes/account.ts';
import { endQuietly } from '../routes/verification.ts';
import { readClaims } from './claims.ts';
import type { Provider } from './provider.ts';
import type { SignInState, SignInStates } from './signInState.ts';

/**
 * How the page learns that a sign-in came to nothing: `/?sign_in_error=...`. A browser that navigates gets a page, never
 * JSON.
 */
export type SignInError = 'cancelled' | 'expired' | 'unavailable' | 'limited' | 'failed';

/** The same for linking: `/profile?link_error=...`. */
export type LinkError = SignInError | 'provider_taken' | 'signed_out';

const linkPage = '/profile';
const scope = 'openid email profile';

/** The claims that identity wants, from the ID token or, where a provider keeps them there, from userinfo. */
async function claimsOf(
  configuration: oidc.Configuration,
  tokens: oidc.TokenEndpointResponse & oidc.TokenEndpointResponseHelpers,
) {
  const claims = tokens.claims();
  if (!claims) throw new Error('The provider sent no ID token.');
  const told = claims['email'] !== undefined && claims['given_name'] !== undefined;
  const more =
    told || configuration.serverMetadata().userinfo_endpoint === undefined
      ? {}
      : await oidc.fetchUserInfo(configuration, tokens.access_token, claims.sub);
  return readClaims(claims, more);
}

function wordFor(error: unknown): SignInError | undefined {
  if (!isAppError(error)) return undefined;
  return error.kind === 'rate_limited' ? 'limited' : error.kind === 'unavailable' ? 'unavailable' : undefined;
}

function fetchSiteOf(request: Request): string | undefined {
  const site = request.headers['sec-fetch-site'];
  return Array.isArray(site) ? site[0] : site;
}

export function bindSignIn(bind: Bind, edge: Edge, provider: Provider | undefined, states: SignInStates): void {
  const { identity, sessions, publicUrl, origins } = edge;
  const redirectUri = `${publicUrl}/api/callback`;
  const failedSignIn = (reason: SignInError, returnTo = '/') => withParameter(returnTo, 'sign_in_error', reason);
  const failedLink = (reason: LinkError) => withParameter(linkPage, 'link_error', reason);
  const failed = (state: Pick<SignInState, 'linkTo'>, reason: SignInError) =>
    state.linkTo === undefined ? failedSignIn(reason) : failedLink(reason);

  /** The page's word for what went wrong; what nobody foresaw is logged. */
  const reasonFor = (error: unknown, { requestId }: RpcCallOptions): SignInError => {
    const known = wordFor(error);
    if (known === undefined) edge.log.warn({ err: error, requestId }, 'a sign-in at the provider failed');
    return known ?? 'failed';
  };

  const isForeign = (request: Request) =>
    comesFromForeignPage({ origin: undefined, secFetchSite: fetchSiteOf(request) }, origins);

  const errorPage = (error: AppError) => failedSignIn(wordFor(error) ?? 'failed');

  bind(
    routes.login,
    async ({ query, request, response, rpc }) => {
      // The cookie that is set here must come back with the provider's answer, so both must see the same host. That a
      // proxy put a name of its own into Host is no reason to lead anyone in circles.
      const here = `http://${request.headers.host ?? ''}`;
      if (provider && here !== publicUrl && origins.has(here)) {
        response.redirect(302, `${publicUrl}${request.originalUrl}`);
        return;
      }
      if (!provider) {
        response.redirect(302, failedSignIn('unavailable'));
        return;
      }
      const returnTo = safeReturnTo(query.returnTo);
      const actor = await sessions.find(request.headers, rpc);
      const { referer } = request.headers;
      // Whoever gets a visitor signed in at the provider as themselves, and then here by a link, must neither tie that
      // identity to the visitor's account nor replace the one that is signed in.
      const linking = query.link === '1';
      if (linking && !(actor && navigatedFromOurPage({ secFetchSite: fetchSiteOf(request), referer }, origins))) {
        response.redirect(302, failedLink('signed_out'));
        return;
      }
      if (!linking && actor && isForeign(request)) {
        response.redirect(302, returnTo);
        return;
      }
      const linkTo = linking ? actor?.userId : undefined;
      try {
        const configuration = await provider.configuration();
        const verifier = oidc.randomPKCECodeVerifier();
        const value: SignInState = {
          state: oidc.randomState(),
          nonce: oidc.randomNonce(),
          verifier,
          returnTo: linkTo === undefined ? returnTo : linkPage,
          ...(linkTo === undefined ? {} : { linkTo }),
        };
        const address = oidc.buildAuthorizationUrl(configuration, {
          redirect_uri: redirectUri,
          scope,
          state: value.state,
          nonce: value.nonce,
          code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
          code_challenge_method: 'S256',
        });
        await states.put(response, value);
        response.redirect(302, address.href);
      } catch (error) {
        response.redirect(302, failed(linkTo === undefined ? {} : { linkTo }, reasonFor(error, rpc)));
      }
    },
    { errorPage },
  );

  const finish = async (call: Call<typeof routes.loginCallback>, value: SignInState): Promise<string> => {
    const { request, response, rpc, device } = call;
    if (!provider) return failedSignIn('unavailable');
    const configuration = await provider.configuration();
    // The address as the provider saw it, whatever a proxy made of it.
    const address = new URL(request.originalUrl, publicUrl);
    const tokens = await oidc.authorizationCodeGrant(
      configuration,
      new URL(address.pathname + address.search, publicUrl),
      {
        pkceCodeVerifier: value.verifier,
        expectedState: value.state,
        expectedNonce: value.nonce,
        idTokenExpected: true,
      },
    );
    const claims = await claimsOf(configuration, tokens);
    const current = await sessions.find(request.headers, rpc);
    // Only the account that began the linking may get the provider, and only while it is signed in.
    if (value.linkTo !== undefined && current?.userId !== value.linkTo) return failedLink('signed_out');
    const signedIn = await identity.signInWithProvider(
      { ...claims, idToken: tokens.id_token ?? '', device, linkToUserId: value.linkTo ?? '' },
      rpc,
    );
    if (value.linkTo !== undefined) return value.returnTo;
    sessions.begin(response, signedIn.token, signedIn.expiresAt);
    if (current?.via === 'cookie') await endQuietly(edge, current, rpc);
    return value.returnTo;
  };

  bind(
    routes.loginCallback,
    async (call) => {
      const { request, response } = call;
      const { state, error: refusal } = request.query;
      const value = typeof state === 'string' ? await states.take(request.headers, response, state) : undefined;
      if (!value) {
        response.redirect(302, failedSignIn('expired'));
        return;
      }
      if (typeof refusal === 'string') {
        const reason = refusal === 'access_denied' || refusal === 'interaction_required' ? 'cancelled' : 'failed';
        response.redirect(302, failed(value, reason));
        return;
      }
      try {
        response.redirect(302, await finish(call, value));
      } catch (error) {
        const taken = isAppError(error) && error.code === 'provider_taken';
        response.redirect(302, taken ? failedLink('provider_taken') : failed(value, reasonFor(error, call.rpc)));
      }
    },
    { errorPage },
  );

  /** Ends the session, if there is one still; answers with the hint for the provider's sign-out. */
  const endSession = async ({ request, rpc }: Call<typeof routes.logout>): Promise<string> => {
    const actor = await sessions.find(request.headers, rpc);
    if (!actor) return '';
    try {
      const ended = await identity.endSession({ actorId: actor.userId, sessionId: actor.sessionId }, rpc);
      sessions.recheck(actor.userId);
      return ended.idTokenHint;
    } catch (error) {
      if (isAppError(error) && error.kind === 'not_found') return '';
      throw error;
    }
  };

  bind(
    routes.logout,
    async (call) => {
      const { request, response } = call;
      // A picture or a link on another site must not sign people out.
      if (isForeign(request)) {
        response.redirect(302, '/');
        return;
      }
      const hint = await endSession(call);
      sessions.forget(response);
      response.setHeader('Clear-Site-Data', clearSiteData);
      response.redirect(302, (await endAtProvider(hint, provider, publicUrl)) ?? '/');
    },
    { errorPage },
  );
}

/** The provider's own sign-out page, where the session began there and the provider has one and answers. */
async function endAtProvider(
  hint: string,
  provider: Provider | undefined,
  publicUrl: string,
): Promise<string | undefined> {
  if (hint === '' || !provider) return undefined;
  try {
    const configuration = await provider.configuration();
    // The session may be older than a change of the provider.
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
