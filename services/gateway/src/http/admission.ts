import type { Route } from '@nolo/api';
import { isAppError } from '@nolo/kit/errors';
import type { RpcCallOptions } from '@nolo/kit/rpc';
import type { Request } from 'express';
import { comesFromForeignPage, comesFromOurPage } from '../domain/origins.ts';
import { createGatewayError } from '../errors.ts';
import type { HttpContext } from './httpContext.ts';
import type { RequestActor } from './sessionAuthenticator.ts';

/** Refusal codes that become labels. */
const tokenRefusals: ReadonlySet<string> = new Set([
  'token_invalid',
  'token_not_allowed',
  'insufficient_scope',
  'plan_limit',
]);

const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

function evidenceOf(request: Request) {
  const site = request.headers['sec-fetch-site'];
  return { origin: request.headers.origin, secFetchSite: Array.isArray(site) ? site[0] : site };
}

/** Authenticates requests, checks their origin and applies rate limits. */
export function createRequestAdmission(context: HttpContext) {
  const countRefusedToken = async (error: unknown, address: string): Promise<void> => {
    const code = isAppError(error) ? error.code : 'other';
    context.metrics.tokenRequests.inc({ outcome: tokenRefusals.has(code) ? code : 'other' });
    if (code === 'token_invalid') await context.limits.consume('wrongTokensPerAddress', address);
  };

  /** Authenticates the session and counts the request against the account, or against the address. */
  const admit = async (
    route: Route,
    request: Request,
    address: string,
    rpc: RpcCallOptions,
  ): Promise<RequestActor | undefined> => {
    const { sessions, limits, origins } = context;
    const { tokenRequests } = context.metrics;
    const evidence = evidenceOf(request);
    const changes = !safeMethods.has(request.method);
    const refused = () =>
      createGatewayError('forbidden', 'origin_refused', 'This request did not come from a page of this site.');
    if (route.access !== 'session') {
      await limits.consume('requestsPerAddress', address);
      // A foreign page must not sign its visitors in to another account.
      if (route.access === 'public' && changes && comesFromForeignPage(evidence, origins)) throw refused();
      return undefined;
    }
    if (!sessions.carriesToken(request.headers)) {
      await limits.consume('requestsPerAddress', address);
    }
    let actor: RequestActor;
    try {
      actor = await sessions.authenticate(request.headers, rpc, route);
    } catch (error) {
      // Failed tokens also count against the address.
      if (sessions.carriesToken(request.headers)) await limits.consume('requestsPerAddress', address);
      if (sessions.carriesAccessToken(request.headers)) await countRefusedToken(error, address);
      throw error;
    }
    if (actor.scopes) {
      tokenRequests.inc({ outcome: 'allowed' });
      await limits.consume('requestsPerToken', actor.sessionId);
    }
    if (actor.via === 'cookie' && changes && !comesFromOurPage(evidence, origins)) throw refused();
    // Browsers send no Origin with a same-origin GET, and older ones do not report the source.
    if (actor.via === 'cookie' && route.changes === true && comesFromForeignPage(evidence, origins)) throw refused();
    await limits.consume('requestsPerUser', actor.userId);
    return actor;
  };

  return admit;
}
