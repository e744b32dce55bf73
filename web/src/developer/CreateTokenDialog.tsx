import { routes } from '@nolo/api';
import { accessTokenLifetimesInDays, cleanName, limits, tokenScopes, type TokenScope } from '@nolo/rules';
import { useId, useRef, useState } from 'react';
import { getDateFormat } from '../i18n/dates.ts';
import { useLocale } from '../i18n/locale.ts';
import { useNow } from '../shell/useNow.ts';
import { FormDialog } from '../ui/FormDialog.tsx';
import { Select } from '../ui/Select.tsx';
import { TextField } from '../ui/TextField.tsx';
import { useAction } from '../ui/useAction.ts';
import { useTexts } from '../i18n/texts.ts';
import { developerTexts } from './developerTexts.ts';

export const accessTokensKey = ['accessTokens'];

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

const dayMs = 86_400_000;
const defaultDays = 30;

/** Asks for the token's name, scopes, and lifetime. The user must authenticate again. */
export function CreateTokenDialog({ onMade, onClose }: { onMade: (secret: string) => void; onClose: () => void }) {
  const { t } = useTexts(developerTexts);
  const locale = useLocale();
  const now = useNow();
  const nameField = useRef<HTMLInputElement>(null);
  const [name, setName] = useState('');
  const [days, setDays] = useState<number>(defaultDays);
  const [scopes, setScopes] = useState<readonly TokenScope[]>([]);
  const [tried, setTried] = useState(false);
  // Never retried, because each attempt would create another token.
  const create = useAction(routes.createAccessToken, {
    invalidates: [accessTokensKey],
    failure: t('developer:form.failed'),
    onDone: ({ secret }) => onMade(secret),
  });
  const isNamed = cleanName(name) !== '';

  const make = async () => {
    setTried(true);
    if (!isNamed) nameField.current?.focus();
    if (!isNamed || scopes.length === 0) return;
    await create.run({ body: { name: cleanName(name), scopes: [...scopes], expiresInDays: days } });
  };

  const until = getDateFormat(locale, { dateStyle: 'long' }).format(now + days * dayMs);
  return (
    <FormDialog
      initialFocus={() => nameField.current}
      title={t('developer:form.title')}
      waits
      dirty={scopes.length > 0 || days !== defaultDays}
      submitLabel={t('developer:form.submit')}
      onClose={onClose}
      onSubmit={make}
    >
      <TextField
        ref={nameField}
        dir="auto"
        label={t('developer:form.name')}
        hint={t('developer:form.nameHint')}
        error={tried && !isNamed ? t('developer:form.nameMissing') : undefined}
        maxLength={limits.accessTokenNameLength}
        autoComplete="off"
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <Select
        label={t('developer:form.expiry')}
        hint={t('developer:form.until', { date: until })}
        value={String(days)}
        onValueChange={(value) => setDays(Number(value))}
        options={accessTokenLifetimesInDays.map((count) => ({
          value: String(count),
          label: count === 365 ? t('developer:form.year') : t('developer:form.days', { count }),
        }))}
      />
      <ScopeChoice
        chosen={scopes}
        error={tried && scopes.length === 0 ? t('developer:form.scopesMissing') : null}
        onChange={setScopes}
      />
    </FormDialog>
  );
}

interface ScopeChoiceProps {
  chosen: readonly TokenScope[];
  error: string | null;
  onChange: (chosen: readonly TokenScope[]) => void;
}

/** Chooses a token's scopes: read and write access for each area of Nolo. */
function ScopeChoice({ chosen, error, onChange }: ScopeChoiceProps) {
  const { t } = useTexts(developerTexts);
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
      <legend className="mb-1 text-13 font-medium">{t('developer:form.scopes')}</legend>
      <ul className="flex flex-col divide-y divide-line rounded-control border border-line px-3">
        {scopeGroups.map(({ group, read, write }) => {
          const what = t(`developer:groups.${group}`);
          return (
            <li key={group} className="flex flex-wrap items-center gap-x-3">
              <span className="min-w-24 flex-1 py-2 text-14">{what}</span>
              <span className="grid grid-cols-[minmax(4rem,auto)_minmax(5rem,auto)] gap-x-3">
                {box(read, t('developer:form.readOf', { what }), t('developer:form.read'))}
                {write === undefined ? (
                  <span />
                ) : (
                  box(write, t('developer:form.writeOf', { what }), t('developer:form.write'))
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
