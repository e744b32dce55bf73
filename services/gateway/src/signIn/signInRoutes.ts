import { routes } from '@nolo/api';
import { isAppError, type AppError } from '@nolo/kit/errors';
import type { RpcCallOptions } from '@nolo/kit/rpc';
import { limits } from '@nolo/rules';
import type { Request } from 'express';
import { decodeJwt } from 'jose';
import * as oidc from 'openid-client';
import { comesFromForeignPage, navigatedFromOurPage } from '../domain/origins.ts';
import { safeReturnTo, withParameter } from '../domain/returnTo.ts';
import type { Edge } from '../edge.ts';
import type { Bind, Call } from '../http/bind.ts';
import { clearSiteData } from '../routes/account.ts';
import { begunIn, endQuietly } from '../routes/verification.ts';
import { readClaims } from './claims.ts';
import type { Provider } from './provider.ts';
import type { SignInState, SignInStates } from './signInState.ts';

/**
 * How the page learns that a sign-in came to nothing: `/?sign_in_error=...`. A browser that navigates gets a page, never
 * JSON.
 */
export type SignInError = 'cancelled' | 'expired' | 'unavailable' | 'limited' | 'failed';

/** The same for linking: `/profile?link_error=...`. */
export type LinkError = SignInError | 'provider_taken' | 'identity_limit' | 'proof_required' | 'signed_out';

/** The same for proving afresh that one is oneself, which happens in a window of its own: `/proof?outcome=...`. */
export type ProofOutcome = SignInError | 'proven' | 'proof_mismatch' | 'signed_out';

const linkPage = '/profile';
const proofPage = '/proof';
const scope = 'openid email profile';
/** The page that asks whether one wants to sign out. */
const signOutQuestion = '/profile?sign_out=1';

/**
 * Whether the provider says that the person signed in there a short while ago. One that does not say when (`auth_time` is
 * owed only where `max_age` is understood) has been asked for a sign-in all the same.
 */
function signedInJustNow(authTime: unknown, now: Date): boolean {
  return typeof authTime !== 'number' || now.getTime() - authTime * 1_000 < limits.proofSeconds * 1_000;
}

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
  const { identity, security, sessions, publicUrl, origins } = edge;
  const redirectUri = `${publicUrl}/api/callback`;
  const failedSignIn = (reason: SignInError, returnTo = '/') => withParameter(returnTo, 'sign_in_error', reason);
  const failedLink = (reason: LinkError) => withParameter(linkPage, 'link_error', reason);
  const proofResult = (outcome: ProofOutcome) => withParameter(proofPage, 'outcome', outcome);
  const failed = ({ purpose }: Pick<SignInState, 'purpose'>, reason: SignInError) => {
    if (purpose === 'prove') return proofResult(reason);
    return purpose === 'link' ? failedLink(reason) : failedSignIn(reason);
  };

  /** The page's word for what went wrong; what nobody foresaw is logged. */
  const reasonFor = (error: unknown, { requestId }: RpcCallOptions): SignInError => {
    const known = wordFor(error);
    if (known === undefined) edge.log.warn({ err: error, requestId }, 'a sign-in at the provider failed');
    return known ?? 'failed';
  };

  /** Where identity says no to what the person can do something about. */
  const refusedPage = (error: unknown): string | undefined => {
    if (!isAppError(error)) return undefined;
    switch (error.code) {
      case 'provider_taken':
      case 'identity_limit':
      case 'proof_required':
        return failedLink(error.code);
      case 'proof_mismatch':
        return proofResult(error.code);
      default:
        return undefined;
    }
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
      const purpose = query.link === '1' ? 'link' : query.prove === '1' ? 'prove' : 'signIn';
      if (
        purpose !== 'signIn' &&
        !(actor && navigatedFromOurPage({ secFetchSite: fetchSiteOf(request), referer }, origins))
      ) {
        response.redirect(302, purpose === 'link' ? failedLink('signed_out') : proofResult('signed_out'));
        return;
      }
      if (purpose === 'signIn' && actor && isForeign(request)) {
        response.redirect(302, returnTo);
        return;
      }
      try {
        // identity asks again when it comes to it; asked here, nobody makes the way to the provider for nothing.
        if (purpose === 'link' && actor) {
          const { validUntil } = await security.getProof({ actorId: actor.userId, sessionId: actor.sessionId }, rpc);
          if (!validUntil) {
            response.redirect(302, failedLink('proof_required'));
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
          returnTo: purpose === 'link' ? linkPage : returnTo,
          ...(purpose !== 'signIn' && actor ? { account: actor.userId, session: actor.sessionId } : {}),
        };
        const address = oidc.buildAuthorizationUrl(configuration, {
          redirect_uri: redirectUri,
          scope,
          state: value.state,
          nonce: value.nonce,
          code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
          code_challenge_method: 'S256',
          // The provider is not to take an earlier sign-in there for the person who sits here now.
          ...(purpose === 'prove' ? { prompt: 'login', max_age: '0' } : {}),
        });
        await states.put(response, value);
        response.redirect(302, address.href);
      } catch (error) {
        response.redirect(302, failed({ purpose }, reasonFor(error, rpc)));
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
    const given = { ...claims, idToken: tokens.id_token, device };
    if (value.purpose === 'prove') {
      if (current === undefined || current.sessionId !== value.session) return proofResult('signed_out');
      if (!signedInJustNow(tokens.claims()?.auth_time, edge.clock.now())) return proofResult('failed');
      await identity.signInWithProvider({ ...given, proveSessionId: current.sessionId }, rpc);
      return proofResult('proven');
    }
    if (value.purpose === 'link') {
      // Only the account that began the linking may get the provider, and only while it is signed in.
      if (current === undefined || current.userId !== value.account) return failedLink('signed_out');
      const { userId: linkToUserId, sessionId: linkSessionId } = current;
      await identity.signInWithProvider({ ...given, linkToUserId, linkSessionId }, rpc);
      return value.returnTo;
    }
    const signedIn = await identity.signInWithProvider(given, rpc);
    sessions.begin(response, begunIn(signedIn).token, signedIn.expiresAt);
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
        response.redirect(302, refusedPage(error) ?? failed(value, reasonFor(error, call.rpc)));
      }
    },
    { errorPage },
  );

  /** Ends the session, if there is one still; answers with the hint for the provider's sign-out. */
  const endSession = async ({ request, rpc }: Call<typeof routes.logout>): Promise<string | undefined> => {
    const actor = await sessions.find(request.headers, rpc);
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
      // A picture, a link or a mail from elsewhere must not sign people out: only our own pages do, and clients that
      // present their token themselves. Everybody else is asked.
      const own = navigatedFromOurPage(
        { secFetchSite: fetchSiteOf(request), referer: request.headers.referer },
        origins,
      );
      if (!own && request.headers.authorization === undefined) {
        const actor = await sessions.find(request.headers, call.rpc);
        response.redirect(302, actor ? signOutQuestion : '/');
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
  hint: string | undefined,
  provider: Provider | undefined,
  publicUrl: string,
): Promise<string | undefined> {
  if (!hint || !provider) return undefined;
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
