import { routes } from '@nolo/api';
import { limits, normalizeUsername } from '@nolo/rules';
import { useState, type FormEvent } from 'react';
import { useExplainFailure } from '../../i18n/useExplainFailure.ts';
import { sessionStore } from '../../session/session.ts';
import { useSelf } from '../../session/self.ts';
import { useFormStateAcrossNavigation } from '../../session/useFormStateAcrossNavigation.ts';
import { toast } from '../../ui/toasts.ts';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { useAction } from '../../ui/useAction.ts';
import { UsernameField } from '../../ui/UsernameField.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { profileTexts } from './profileTexts.ts';

/** Username, by which others find the user without a phone number. */
export function UsernameCard() {
  const { t } = useTexts(profileTexts);
  const { username } = useSelf();
  // Set only while editing, so that changes from another device show here too.
  const [typed, setTyped] = useFormStateAcrossNavigation<string | null>('username', null);
  const [error, setError] = useState<string | null>(null);
  const explain = useExplainFailure();
  const { run, busy } = useAction(routes.setUsername, {
    // Shown at the field.
    failure: (failure) => {
      setError(explain(failure));
    },
    onDone: (user, { body }) => {
      sessionStore.setState({ user });
      setTyped(null);
      toast({ kind: 'success', title: t(body?.username === null ? 'profile:usernameGone' : 'profile:usernameSaved') });
    },
  });
  const shown = typed ?? username ?? '';
  const changed = typed !== null && typed.trim() !== (username ?? '');

  const save = (event: FormEvent) => {
    event.preventDefault();
    if (!changed || busy) return;
    const wanted = shown.trim() === '' ? null : normalizeUsername(shown);
    if (wanted === undefined) {
      setError(t('profile:usernameInvalid', { min: limits.usernameLengthMin, max: limits.usernameLengthMax }));
      return;
    }
    setError(null);
    void run({ body: { username: wanted } });
  };

  return (
    <Card title={t('profile:username')} description={t('profile:usernameText')}>
      <form noValidate className="flex flex-col gap-4" onSubmit={save}>
        <UsernameField
          label={t('profile:username')}
          hideLabel
          hint={t('profile:usernameHint', { count: limits.usernameReservedDays })}
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
