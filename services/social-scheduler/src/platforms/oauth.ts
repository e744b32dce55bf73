import * as client from 'openid-client';
import type { Clock } from '@nolo/kit/clock';
import { Secret } from '@nolo/kit/config';
import { secondsFromNow } from './http.ts';
import { PlatformError } from '../domain/PlatformError.ts';
import type { HiddenSecret, PendingConnection, PlatformTokens } from '../domain/platform.ts';

/** Options of all adapters. */
export interface AdapterOptions {
  readonly clock: Clock;
}

export interface OAuthApp extends AdapterOptions {
  readonly clientId: string;
  readonly clientSecret: HiddenSecret;
}

export interface OAuthOptions extends OAuthApp {
  readonly authorizeUrl: string;
  readonly tokenUrl: string;
  readonly revokeUrl?: string;
  /** Issuer in its ID tokens, if it sends any. Default: the origin of `authorizeUrl`. */
  readonly issuer?: string;
  readonly scope: string;
  readonly pkce: boolean;
  /** Client authentication: in the Authorization header or in the form. */
  readonly proof: 'basic' | 'post';
}

/** OAuth 2.0 with an authorization code, for platforms that follow RFC 6749. */
export interface OAuthClient {
  begin(options: {
    redirectUri: string;
    server?: string | undefined;
  }): Promise<{ address: string; pending: PendingConnection }>;
  exchange(pending: PendingConnection, callback: URL): Promise<PlatformTokens>;
  refresh(refreshToken: HiddenSecret): Promise<PlatformTokens>;
  revoke(token: HiddenSecret): Promise<void>;
}

/** Stays below the lock timeout of the transaction in which tokens are renewed. */
const timeoutSeconds = 8;

export function createOAuthClient(options: OAuthOptions): OAuthClient {
  const { clientId, clientSecret, authorizeUrl, tokenUrl, revokeUrl, scope, pkce } = options;
  const secret = clientSecret.reveal();
  const config = new client.Configuration(
    {
      issuer: options.issuer ?? new URL(authorizeUrl).origin,
      authorization_endpoint: authorizeUrl,
      token_endpoint: tokenUrl,
      ...(revokeUrl === undefined ? {} : { revocation_endpoint: revokeUrl }),
    },
    clientId,
    undefined,
    options.proof === 'basic' ? plainBasic(secret) : client.ClientSecretPost(secret),
  );
  config.timeout = timeoutSeconds;
  // Applies only if the operator configured such an address, as for simulators.
  if (tokenUrl.startsWith('http:')) client.allowInsecureRequests(config);

  return {
    async begin({ redirectUri, server }) {
      const pending = createPendingConnection(redirectUri, server);
      const parameters: Record<string, string> = { redirect_uri: redirectUri, scope, state: pending.state };
      if (pkce) {
        parameters['code_challenge'] = await client.calculatePKCECodeChallenge(pending.verifier);
        parameters['code_challenge_method'] = 'S256';
      }
      const address = client.buildAuthorizationUrl(config, parameters);
      return { address: address.href, pending };
    },
    exchange: (pending, callback) =>
      explained(async () =>
        tokensOf(
          await client.authorizationCodeGrant(config, atRedirect(pending, callback), {
            expectedState: pending.state,
            ...(pkce ? { pkceCodeVerifier: pending.verifier } : {}),
          }),
          options,
        ),
      ),
    refresh: (refreshToken) =>
      explained(async () => tokensOf(await client.refreshTokenGrant(config, refreshToken.reveal()), options)),
    revoke: (token) => explained(() => client.tokenRevocation(config, token.reveal())),
  };
}

/**
 * Authenticates as X documents: Base64 of `id:secret` without the encoding of RFC 6749 (section 2.3.1). The library
 * applies that encoding, which would change - and _ in secrets.
 */
function plainBasic(secret: string): client.ClientAuth {
  return (_server, { client_id: id }, _body, headers) => {
    headers.set('authorization', `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`);
  };
}

/** Creates a state and a verifier with 256 bits each. */
export function createPendingConnection(redirectUri: string, server?: string): PendingConnection {
  return { state: client.randomState(), verifier: client.randomPKCECodeVerifier(), redirectUri, server };
}

/** Returns the authorization code, for platforms whose token exchange does not follow RFC 6749. */
export function readAuthorizationCode(pending: PendingConnection, callback: URL): string {
  const code = callback.searchParams.get('code');
  if (callback.searchParams.get('state') !== pending.state || code === null || code === '') {
    throw new PlatformError('permission_missing', { code: callback.searchParams.get('error') ?? 'state_mismatch' });
  }
  return code;
}

/** Rebuilds the callback with the registered address, because a proxy may have changed it. */
function atRedirect({ redirectUri }: PendingConnection, callback: URL): URL {
  const url = new URL(redirectUri);
  url.search = callback.search;
  return url;
}

function tokensOf(
  reply: client.TokenEndpointResponse & client.TokenEndpointResponseHelpers,
  { clock }: AdapterOptions,
): PlatformTokens {
  const seconds = reply.expiresIn();
  return {
    access: new Secret(reply.access_token),
    refresh: reply.refresh_token === undefined ? undefined : new Secret(reply.refresh_token),
    expiresAt: seconds === undefined ? undefined : secondsFromNow(seconds, clock.now()),
  };
}

/**
 * Maps errors. A refused grant requires reconnecting. The library's messages are dropped because they may contain the
 * request.
 */
async function explained<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof client.AuthorizationResponseError) {
      throw new PlatformError('permission_missing', { code: error.error });
    }
    if (error instanceof client.ResponseBodyError) {
      const { status, error: code } = error;
      if (status === 429 || status >= 500) {
        throw new PlatformError(status === 429 ? 'rate_limited' : 'platform_down', { status, code });
      }
      throw new PlatformError('authentication_expired', { status, code });
    }
    if (error instanceof client.ClientError) {
      const status = error.cause instanceof Response ? error.cause.status : undefined;
      const reason = status === 401 || status === 403 || status === 400 ? 'authentication_expired' : 'platform_down';
      throw new PlatformError(reason, { code: error.code, status });
    }
    throw new PlatformError('unreachable', { code: (error as Error).name });
  }
}
