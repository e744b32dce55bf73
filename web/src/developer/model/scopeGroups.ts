import { tokenScopes, type TokenScope } from '@nolo/rules';

type GroupOf<Scope> = Scope extends `${infer Group}:${string}` ? Group : never;
/** What a scope is about, before its colon. */
export type ScopeGroup = GroupOf<TokenScope>;

export interface ScopesOfGroup {
  readonly group: ScopeGroup;
  readonly read: TokenScope;
  /** What nobody may change with a token has none. */
  readonly write: TokenScope | undefined;
}

const findScope = (text: string): TokenScope | undefined => tokenScopes.find((scope) => scope === text);

/** All scopes by what they are about, in the order in which they are offered. */
export const scopeGroups: readonly ScopesOfGroup[] = tokenScopes.flatMap((scope) => {
  const [group, right] = scope.split(':') as [ScopeGroup, string];
  return right === 'read' ? [{ group, read: scope, write: findScope(`${group}:write`) }] : [];
});

/** With or without one, in the order in which they are offered. */
export function withScope(chosen: readonly TokenScope[], scope: TokenScope, on: boolean): readonly TokenScope[] {
  return tokenScopes.filter((one) => (one === scope ? on : chosen.includes(one)));
}
