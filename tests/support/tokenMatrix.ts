import { routes, type Route, type RouteName } from '@nolo/api';
import { tokenScopes, type TokenScope } from '@nolo/rules';
import { signUpByPhone, TestApi, type TestReply } from '@nolo/testing';
import { must } from './authorizationCast.ts';
import { nothingAt } from './authorizationTable.ts';

/** An account's tokens, one for each scope that has no other, and one that has them all. */
export interface TokenHolder {
  owner: TestApi;
  all: string;
  only: Readonly<Record<TokenScope, string>>;
}

export async function gatherTokens(baseUrl: string): Promise<TokenHolder> {
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

/** Aimed at nothing that exists, and without what it takes: what is asked is whether the token gets as far as that. */
export function askWithToken(baseUrl: string, name: RouteName, token: string): Promise<TestReply> {
  const { method, path }: Route = routes[name];
  const address = path.replace(/\{\w+\}/g, () => nothingAt(path));
  return new TestApi(baseUrl, token).request(method, address, {});
}

/** What a token is refused for by the edge, or else that it was let through. */
export function verdict({ status, body }: TestReply): string {
  const { code, details } = (body ?? {}) as { code?: string; details?: { scope?: string } };
  if (code === 'token_not_allowed' || code === 'token_invalid' || code === 'plan_limit') return `${status} ${code}`;
  if (code === 'insufficient_scope') return `${status} ${code} ${details?.scope ?? ''}`;
  return status === 401 || status >= 500 ? `${status} ${code ?? ''}` : 'let through';
}

export const sessionRoutes = (Object.entries(routes) as [RouteName, Route][]).filter(
  ([, { access }]) => access === 'session',
);
