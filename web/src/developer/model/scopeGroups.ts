import { tokenScopes, type TokenScope } from '@nolo/rules';

type GroupOf<Scope> = Scope extends `${infer Group}:${string}` ? Group : never;
/** Area of a scope, before its colon. */
export type ScopeGroup = GroupOf<TokenScope>;

export interface ScopesOfGroup {
  readonly group: ScopeGroup;
  readonly read: TokenScope;
  /** Undefined if the area is read-only for tokens. */
  readonly write: TokenScope | undefined;
}

const findScope = (text: string): TokenScope | undefined => tokenScopes.find((scope) => scope === text);

/** All scopes by area, in display order. */
export const scopeGroups: readonly ScopesOfGroup[] = tokenScopes.flatMap((scope) => {
  const [group, right] = scope.split(':') as [ScopeGroup, string];
  return right === 'read' ? [{ group, read: scope, write: findScope(`${group}:write`) }] : [];
});

/** Returns the scopes with one added or removed, in display order. */
export function addOrRemoveScope(chosen: readonly TokenScope[], scope: TokenScope, on: boolean): readonly TokenScope[] {
  return tokenScopes.filter((one) => (one === scope ? on : chosen.includes(one)));
}
