import { routes } from '@nolo/api';
import { limits } from '@nolo/rules';
import * as oidc from 'openid-client';
import type { GatewayContext } from '../gatewayContext.ts';
import type { BindRoute, RouteCall } from '../http/routeBinder.ts';
import { requireSession, endSessionQuietly } from '../http/browserSession.ts';
import { readClaims } from './claims.ts';
import type { Provider } from './provider.ts';
import type { SignInState, SignInStates } from './signInState.ts';
import {
  errorPageUrl,
  failedLinkUrl,
  failedPageUrl,
  failedSignInUrl,
  proofResultUrl,
  toSignInErrorCode,
  refusedPageUrl,
} from './signInPages.ts';

/**
 * True if the provider reports a recent sign-in. A provider that omits the time (`auth_time` is required only if
 * `max_age` is supported) was still asked to prompt for a sign-in.
 */
function signedInJustNow(authTime: unknown, now: Date): boolean {
  return typeof authTime !== 'number' || now.getTime() - authTime * 1_000 < limits.proofSeconds * 1_000;
}

/** Returns the claims that identity needs, from the ID token or, if a provider puts them there, from userinfo. */
async function claimsOf(
  configuration: oidc.Configuration,
  tokens: oidc.TokenEndpointResponse & oidc.TokenEndpointResponseHelpers,
) {
  const claims = tokens.claims();
  if (!claims) throw new Error('The provider returned no ID token.');
  const hasProfileClaims = claims['email'] !== undefined && claims['given_name'] !== undefined;
  const more =
    hasProfileClaims || configuration.serverMetadata().userinfo_endpoint === undefined
      ? {}
      : await oidc.fetchUserInfo(configuration, tokens.access_token, claims.sub);
  return readClaims(claims, more);
}

/** Route to which the provider returns the browser. */
export function bindLoginCallback(
  bind: BindRoute,
  context: Pick<GatewayContext, 'identity' | 'sessions' | 'publicUrl' | 'clock' | 'log'>,
  provider: Provider | undefined,
  states: SignInStates,
): void {
  const { identity, sessions, publicUrl } = context;

  const finish = async (call: RouteCall<typeof routes.loginCallback>, value: SignInState): Promise<string> => {
    const { request, response, rpc, device } = call;
    if (!provider) return failedSignInUrl('unavailable');
    const configuration = await provider.configuration();
    // The provider's view of the address, regardless of proxies.
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
      if (current === undefined || current.sessionId !== value.session) return proofResultUrl('signed_out');
      if (!signedInJustNow(tokens.claims()?.auth_time, context.clock.now())) return proofResultUrl('failed');
      await identity.signInWithProvider({ ...given, proveSessionId: current.sessionId }, rpc);
      return proofResultUrl('proven');
    }
    if (value.purpose === 'link') {
      // Requires that the account which started linking is still signed in, so no other account gets the provider.
      if (current === undefined || current.userId !== value.account) return failedLinkUrl('signed_out');
      const { userId: linkToUserId, sessionId: linkSessionId } = current;
      await identity.signInWithProvider({ ...given, linkToUserId, linkSessionId }, rpc);
      return value.returnTo;
    }
    const signedIn = await identity.signInWithProvider(given, rpc);
    sessions.begin(response, requireSession(signedIn).token, signedIn.expiresAt);
    if (current?.via === 'cookie') await endSessionQuietly(context, current, rpc);
    return value.returnTo;
  };

  bind(
    routes.loginCallback,
    async (call) => {
      const { request, response } = call;
      const { state, error: refusal } = request.query;
      const value = typeof state === 'string' ? await states.take(request.headers, response, state) : undefined;
      if (!value) {
        response.redirect(302, failedSignInUrl('expired'));
        return;
      }
      if (typeof refusal === 'string') {
        const reason = refusal === 'access_denied' || refusal === 'interaction_required' ? 'cancelled' : 'failed';
        response.redirect(302, failedPageUrl(value, reason));
        return;
      }
      try {
        response.redirect(302, await finish(call, value));
      } catch (error) {
        response.redirect(
          302,
          refusedPageUrl(error) ?? failedPageUrl(value, toSignInErrorCode(context, error, call.rpc)),
        );
      }
    },
    { errorPage: errorPageUrl },
  );
}
