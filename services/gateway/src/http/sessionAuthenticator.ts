import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { isAppError } from '@nolo/kit/errors';
import type { RpcCallOptions } from '@nolo/kit/rpc';
import type { Clock } from '@nolo/kit/clock';
import { parseCookie, stringifySetCookie } from 'cookie';
import type { TokenScope } from '@nolo/rules';
import type { Clients } from '../clients.ts';
import { createGatewayError } from '../errors.ts';
import {
  lookUpAccessToken,
  isAccessToken,
  requireScope,
  createTokenInvalidError,
  createTokenNotAllowedError,
} from './accessTokens.ts';
import type { LiveSession, SessionCache } from './sessionCache.ts';

/** Authenticated identity of a request. */
export interface RequestActor extends LiveSession {
  /**
   * Source of the token. A cookie is also sent with requests from foreign pages, so it needs a proof of origin; a
   * bearer token does not.
   */
  readonly via: 'cookie' | 'bearer';
}

/** Credentials that a route accepts in addition to sessions of open accounts. */
interface Allowed {
  /** Scope required of a personal access token. Absent: no token is accepted. */
  readonly scope?: TokenScope | undefined;
  /** True to accept sessions of an account that is closed for deletion. */
  readonly whileClosed?: true | undefined;
}

export interface SessionAuthenticator {
  /** Name of the session cookie. */
  readonly cookieName: string;
  /** Returns true if a request has any credential. */
  carriesToken(headers: IncomingHttpHeaders): boolean;
  /** Returns true if the credential is a personal access token. */
  carriesAccessToken(headers: IncomingHttpHeaders): boolean;
  /**
   * Authenticates a request. @throws AppError unauthenticated session_required, session_invalid, token_invalid;
   * forbidden token_not_allowed, insufficient_scope, plan_limit, account_closed; unavailable if identity does not
   * respond.
   */
  authenticate(headers: IncomingHttpHeaders, call: RpcCallOptions, allowed?: Allowed): Promise<RequestActor>;
  /** Authenticates a request if it has a credential, for routes that work with and without a session. */
  find(headers: IncomingHttpHeaders, call: RpcCallOptions, allowed?: Allowed): Promise<RequestActor | undefined>;
  /** Invalidates the cached sessions of an account after one was ended here, before the event arrives. */
  recheck(userId: string): void;
  begin(response: ServerResponse, token: string, expiresAt: Date | undefined): void;
  /** Extends the cookie to the lifetime of its session, which each use prolongs. */
  renew(headers: IncomingHttpHeaders, response: ServerResponse, actor: RequestActor): void;
  forget(response: ServerResponse): void;
}

/** Hint for the page that a session may exist; it grants nothing. */
export const signedInHintCookieName = 'nolo_signed_in';

/** Maximum token length. Tokens from identity are far shorter; a longer one is refused without a call. */
const longestToken = 512;

const accountClosed = (deletesAt: Date) =>
  createGatewayError(
    'forbidden',
    'account_closed',
    'This account is closed and will be deleted. Keep it to continue.',
    {
      deletesAt: deletesAt.toISOString(),
    },
  );

interface Presented {
  token: string;
  via: RequestActor['via'];
}

export function createSessionAuthenticator(options: {
  identity: Clients['identity'];
  tokens: Clients['tokens'];
  cache: SessionCache;
  clock: Clock;
  secure: boolean;
  name: string;
}): SessionAuthenticator {
  const { identity, tokens, cache, clock, secure, name } = options;
  // The prefix makes browsers accept the cookie only from this host over TLS.
  const cookieName = secure ? `__Host-${name}` : name;

  const present = (headers: IncomingHttpHeaders): Presented | undefined => {
    const { authorization, cookie } = headers;
    if (authorization !== undefined) {
      return { token: /^Bearer +(\S+)$/i.exec(authorization.trim())?.[1] ?? '', via: 'bearer' };
    }
    const token = cookie === undefined ? undefined : parseCookie(cookie)[cookieName];
    return token === undefined || token === '' ? undefined : { token, via: 'cookie' };
  };

  const write = (response: ServerResponse, name: string, value: string, maxAge: number, httpOnly: boolean) => {
    response.appendHeader(
      'Set-Cookie',
      stringifySetCookie({ name, value, path: '/', sameSite: 'lax', httpOnly, secure, maxAge }),
    );
  };

  const sessions: SessionAuthenticator = {
    cookieName,
    carriesToken: (headers) => present(headers) !== undefined,

    carriesAccessToken(headers) {
      const presented = present(headers);
      return presented?.via === 'bearer' && isAccessToken(presented.token);
    },

    async authenticate(headers, call, { scope, whileClosed } = {}) {
      const presented = present(headers);
      if (!presented) throw createGatewayError('unauthenticated', 'session_required', 'You are not signed in.');
      const { token, via } = presented;
      // A personal access token in a cookie is treated as an unknown session.
      const isToken = via === 'bearer' && isAccessToken(token);
      if (isToken && scope === undefined) throw createTokenNotAllowedError();
      const invalid = () =>
        isToken
          ? createTokenInvalidError()
          : createGatewayError('unauthenticated', 'session_invalid', 'Your session has ended. Sign in again.');
      if (token.length > longestToken || !/^[\x21-\x7e]+$/.test(token)) throw invalid();
      try {
        const session = await cache.find(token, () =>
          isToken ? lookUpAccessToken(tokens, token, call) : identity.authenticateSession({ token }, call),
        );
        if (session.deletesAt && !whileClosed) throw accountClosed(session.deletesAt);
        if (scope !== undefined && session.scopes) requireScope(session.scopes, scope);
        return { ...session, via };
      } catch (error) {
        if (isAppError(error) && ['unauthenticated', 'invalid', 'not_found'].includes(error.kind)) throw invalid();
        throw error;
      }
    },

    async find(headers, call, allowed) {
      if (!sessions.carriesToken(headers)) return undefined;
      try {
        return await sessions.authenticate(headers, call, allowed);
      } catch (error) {
        const isNobody = isAppError(error) && (error.kind === 'unauthenticated' || error.code === 'account_closed');
        if (isNobody) return undefined;
        throw error;
      }
    },

    recheck: (userId) => cache.recheck(userId),

    begin(response, token, expiresAt) {
      const seconds = expiresAt ? Math.floor((expiresAt.getTime() - clock.now().getTime()) / 1000) : 30 * 86_400;
      write(response, cookieName, token, Math.max(0, seconds), true);
      write(response, signedInHintCookieName, '1', Math.max(0, seconds), false);
    },

    renew(headers, response, { via, expiresAt }) {
      const presented = present(headers);
      if (presented && via === 'cookie') sessions.begin(response, presented.token, expiresAt);
    },

    forget(response) {
      write(response, cookieName, '', 0, true);
      write(response, signedInHintCookieName, '', 0, false);
    },
  };
  return sessions;
}
