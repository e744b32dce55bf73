import { routes, type Route, type RouteName } from '@nolo/api';
import { tokenScopes, type TokenScope } from '@nolo/rules';
import { signUpByPhone, TestApi, type TestReply } from '@nolo/testing';
import { must } from './authorizationCast.ts';
import { createMissingParameter } from './routeExpectation.ts';

/** Tokens of an account: one for each scope alone, and one with all of them. */
export interface TokenHolder {
  owner: TestApi;
  all: string;
  only: Readonly<Record<TokenScope, string>>;
}

export async function createScopeTokens(baseUrl: string): Promise<TokenHolder> {
  const { api } = await signUpByPhone(baseUrl);
  const make = async (scopes: readonly TokenScope[]) => {
    const body = { name: scopes.join(' ').slice(0, 60), scopes, expiresInDays: 1 };
    const { secret } = must(await api.post('/api/account/tokens', body), 'A token').body as { secret: string };
    return secret;
  };
  const only = {} as Record<TokenScope, string>;
  for (const scope of tokenScopes) only[scope] = await make([scope]);
  return { owner: api, all: await make(tokenScopes), only };
}

/** Sends a request for nothing that exists, without a valid body, because only the check of the token matters. */
export function callWithToken(baseUrl: string, name: RouteName, token: string): Promise<TestReply> {
  const { method, path }: Route = routes[name];
  const address = path.replace(/\{\w+\}/g, () => createMissingParameter(path));
  return new TestApi(baseUrl, token).request(method, address, {});
}

/** Returns why the gateway refused a token, or that it was let through. */
export function describeTokenVerdict({ status, body }: TestReply): string {
  const { code, details } = (body ?? {}) as { code?: string; details?: { scope?: string } };
  if (code === 'token_not_allowed' || code === 'token_invalid' || code === 'plan_limit') return `${status} ${code}`;
  if (code === 'insufficient_scope') return `${status} ${code} ${details?.scope ?? ''}`;
  return status === 401 || status >= 500 ? `${status} ${code ?? ''}` : 'let through';
}

export const sessionAccessRoutes = (Object.entries(routes) as [RouteName, Route][]).filter(
  ([, { access }]) => access === 'session',
);
