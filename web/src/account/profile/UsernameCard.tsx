import { routes } from '@nolo/api';
import { limits, normalizeUsername } from '@nolo/rules';
import type { FormEvent } from 'react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/httpClient.ts';
import { explainFailure } from '../../i18n/explainFailure.ts';
import { sessionStore } from '../../session/session.ts';
import { useSelf } from '../../session/self.ts';
import { useFormStateAcrossNavigation } from '../../session/useFormStateAcrossNavigation.ts';
import { toast } from '../../ui/toasts.ts';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { UsernameField } from '../../ui/UsernameField.tsx';

/** Username, by which others find the user without a phone number. */
export function UsernameCard() {
  const { t, i18n } = useTranslation();
  const { username } = useSelf();
  // Set only while editing, so that changes from another device show here too.
  const [typed, setTyped] = useFormStateAcrossNavigation<string | null>('username', null);
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const shown = typed ?? username ?? '';
  const changed = typed !== null && typed.trim() !== (username ?? '');

  const save = async () => {
    if (!changed || busy) return;
    const wanted = shown.trim() === '' ? null : normalizeUsername(shown);
    if (wanted === undefined) {
      setError(t('profile.usernameInvalid', { min: limits.usernameLengthMin, max: limits.usernameLengthMax }));
      return;
    }
    setBusy(true);
    setError(null);
    try {
      sessionStore.setState({ user: await call(routes.setUsername, { body: { username: wanted } }) });
      setTyped(null);
      toast({ kind: 'success', title: t(wanted === null ? 'profile.usernameGone' : 'profile.usernameSaved') });
    } catch (failure) {
      setError(explainFailure(i18n, failure));
    }
    setBusy(false);
  };

  return (
    <Card title={t('profile.username')} description={t('profile.usernameText')}>
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          void save();
        }}
      >
        <UsernameField
          label={t('profile.username')}
          hideLabel
          hint={t('profile.usernameHint', { count: limits.usernameReservedDays })}
          error={error}
          value={shown}
          onValueChange={(value) => {
            setTyped(value === (username ?? '') ? null : value);
            setError(null);
          }}
        />
        <div className="flex justify-end gap-2">
          {changed && !busy && (
            <Button
              kind="quiet"
              onClick={() => {
                setTyped(null);
                setError(null);
              }}
            >
              {t('common.cancel')}
            </Button>
          )}
          <Button type="submit" disabled={!changed} busy={busy}>
            {t('common.save')}
          </Button>
        </div>
      </form>
    </Card>
  );
}
