import { routes } from '@nolo/api';
import { accessTokenLifetimesInDays, cleanName, limits, type TokenScope } from '@nolo/rules';
import { useRef, useState } from 'react';
import { getDateFormat } from '../i18n/dates.ts';
import { useLocale } from '../i18n/locale.ts';
import { useNow } from '../shell/useNow.ts';
import { FormDialog } from '../ui/FormDialog.tsx';
import { Select } from '../ui/Select.tsx';
import { TextField } from '../ui/TextField.tsx';
import { useAction } from '../ui/useAction.ts';
import { ScopeChoice } from './ScopeChoice.tsx';
import { useDeveloperWords } from './useDeveloperWords.ts';

export const accessTokensKey = ['accessTokens'];

const dayMs = 86_400_000;
const defaultDays = 30;

/** Asks for the token's name, scopes, and lifetime. The user must authenticate again. */
export function CreateTokenDialog({ onMade, onClose }: { onMade: (secret: string) => void; onClose: () => void }) {
  const { t } = useDeveloperWords();
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
    failure: t('developer.form.failed'),
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
      title={t('developer.form.title')}
      waits
      dirty={scopes.length > 0 || days !== defaultDays}
      submitLabel={t('developer.form.submit')}
      onClose={onClose}
      onSubmit={make}
    >
      <TextField
        ref={nameField}
        dir="auto"
        label={t('developer.form.name')}
        hint={t('developer.form.nameHint')}
        error={tried && !isNamed ? t('developer.form.nameMissing') : undefined}
        maxLength={limits.accessTokenNameLength}
        autoComplete="off"
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <Select
        label={t('developer.form.expiry')}
        hint={t('developer.form.until', { date: until })}
        value={String(days)}
        onValueChange={(value) => setDays(Number(value))}
        options={accessTokenLifetimesInDays.map((count) => ({
          value: String(count),
          label: count === 365 ? t('developer.form.year') : t('developer.form.days', { count }),
        }))}
      />
      <ScopeChoice
        chosen={scopes}
        error={tried && scopes.length === 0 ? t('developer.form.scopesMissing') : null}
        onChange={setScopes}
      />
    </FormDialog>
  );
}
