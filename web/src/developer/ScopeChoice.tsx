import { tokenScopes, type TokenScope } from '@nolo/rules';
import { useId } from 'react';
import { useDeveloperWords } from './useDeveloperWords.ts';

type GroupOf<Scope> = Scope extends `${infer Group}:${string}` ? Group : never;
/** Area of a scope, before its colon. */
type ScopeGroup = GroupOf<TokenScope>;

const findScope = (text: string): TokenScope | undefined => tokenScopes.find((scope) => scope === text);

/** All scopes by area, in display order; without a scope to write if the area is read-only for tokens. */
const scopeGroups = tokenScopes.flatMap((scope) => {
  const [group, right] = scope.split(':') as [ScopeGroup, string];
  return right === 'read' ? [{ group, read: scope, write: findScope(`${group}:write`) }] : [];
});

/** Returns the scopes with one added or removed, in display order. */
function addOrRemoveScope(chosen: readonly TokenScope[], scope: TokenScope, on: boolean): readonly TokenScope[] {
  return tokenScopes.filter((one) => (one === scope ? on : chosen.includes(one)));
}

interface ScopeChoiceProps {
  chosen: readonly TokenScope[];
  error: string | null;
  onChange: (chosen: readonly TokenScope[]) => void;
}

/** Chooses a token's scopes: read and write access for each area of Nolo. */
export function ScopeChoice({ chosen, error, onChange }: ScopeChoiceProps) {
  const { t } = useDeveloperWords();
  const message = useId();
  const box = (scope: TokenScope, label: string, text: string) => (
    <label className="flex min-h-10 items-center gap-2 text-14">
      <input
        type="checkbox"
        className="size-4 accent-accent"
        aria-label={label}
        checked={chosen.includes(scope)}
        onChange={(event) => onChange(addOrRemoveScope(chosen, scope, event.target.checked))}
      />
      <span aria-hidden="true">{text}</span>
    </label>
  );
  return (
    <fieldset aria-describedby={error === null ? undefined : message}>
      <legend className="mb-1 text-13 font-medium">{t('developer.form.scopes')}</legend>
      <ul className="flex flex-col divide-y divide-line rounded-control border border-line px-3">
        {scopeGroups.map(({ group, read, write }) => {
          const what = t(`developer.groups.${group}`);
          return (
            <li key={group} className="flex flex-wrap items-center gap-x-3">
              <span className="min-w-24 flex-1 py-2 text-14">{what}</span>
              <span className="grid grid-cols-[minmax(4rem,auto)_minmax(5rem,auto)] gap-x-3">
                {box(read, t('developer.form.readOf', { what }), t('developer.form.read'))}
                {write === undefined ? (
                  <span />
                ) : (
                  box(write, t('developer.form.writeOf', { what }), t('developer.form.write'))
                )}
              </span>
            </li>
          );
        })}
      </ul>
      {error !== null && (
        <p id={message} role="alert" className="mt-1 text-13 text-danger-text">
          {error}
        </p>
      )}
    </fieldset>
  );
}
