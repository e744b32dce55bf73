import { Secret } from '@nolo/kit/config';
import { z } from 'zod';
import { secondsFromNow, type PlatformHttpClient } from './http.ts';
import { createPendingConnection, readAuthorizationCode, type OAuthApp } from './oauth.ts';
import type { AccountGrant, HiddenSecret, Platform } from '../domain/platform.ts';

interface GraphLoginOptions extends OAuthApp {
  readonly http: PlatformHttpClient;
  readonly authorizeUrl: string;
  /** Address that exchanges a code for a short-lived token. */
  readonly tokenUrl: string;
  /** Address below which tokens are exchanged for long-lived ones and renewed. */
  readonly host: string;
  readonly scope: string;
  /** Beginning of the names of grant types. */
  readonly grants: 'ig' | 'th';
  readAccount(token: HiddenSecret, signal: AbortSignal): Promise<AccountGrant['account']>;
}

const token = z.object({ access_token: z.string().min(1) });
/** Instagram documents a list of one token, and Threads the token itself. */
const shortLived = z.union([z.object({ data: z.tuple([token]) }).transform(({ data }) => data[0]), token]);
const longLived = z.object({ access_token: z.string().min(1), expires_in: z.number() });

/** Connects accounts of Instagram and Threads, whose token exchange does not follow RFC 6749. */
export function createGraphLogin(options: GraphLoginOptions): Pick<Platform, 'connect' | 'refresh' | 'revoke'> {
  const { http, host, grants } = options;
  const readTokens = async (path: string, query: Record<string, string>, signal: AbortSignal) => {
    const reply = await http.read(`${host}/${path}`, longLived, { query, signal });
    return {
      access: new Secret(reply.access_token),
      expiresAt: secondsFromNow(reply.expires_in, options.clock.now()),
    };
  };

  return {
    connect: {
      kind: 'oauth',
      begin({ redirectUri }) {
        const pending = createPendingConnection(redirectUri);
        const address = new URL(options.authorizeUrl);
        address.search = new URLSearchParams({
          client_id: options.clientId,
          redirect_uri: redirectUri,
          response_type: 'code',
          scope: options.scope,
          state: pending.state,
        }).toString();
        return Promise.resolve({ address: address.href, pending });
      },
      async finish(pending, callback, signal) {
        const first = await http.read(options.tokenUrl, shortLived, {
          method: 'POST',
          form: {
            client_id: options.clientId,
            client_secret: options.clientSecret.reveal(),
            grant_type: 'authorization_code',
            redirect_uri: pending.redirectUri,
            code: readAuthorizationCode(pending, callback),
          },
          signal,
        });
        const query = {
          grant_type: `${grants}_exchange_token`,
          client_secret: options.clientSecret.reveal(),
          access_token: first.access_token,
        };
        const tokens = await readTokens('access_token', query, signal);
        return [{ account: await options.readAccount(tokens.access, signal), tokens }];
      },
    },
    refresh: ({ tokens }, signal) => {
      const query = { grant_type: `${grants}_refresh_token`, access_token: tokens.access.reveal() };
      return readTokens('refresh_access_token', query, signal);
    },
    // The API does not support it; people revoke access in the platform's settings.
    revoke: () => Promise.resolve(),
  };
}
