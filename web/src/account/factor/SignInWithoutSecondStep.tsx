import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { limits } from '@nolo/rules';
import { serverNow } from '../../api/serverClock.ts';
import { ApiError } from '../../api/request.ts';
import { postJson } from '../../api/verification.ts';
import { useLocale } from '../../i18n/locale.ts';
import { explainServerError } from '../../i18n/explainFailure.ts';
import { Button } from '../../ui/Button.tsx';
import type { SecondStepChallenge } from './SecondStep.tsx';

export interface SignInWithoutSecondStepProps {
  challenge: SecondStepChallenge;
  onBack: () => void;
  onWaitStarted: (opensAt: string) => void;
}

/** Explains how long signing in without the second step takes, and starts the wait. */
export function SignInWithoutSecondStep({ challenge, onBack, onWaitStarted }: SignInWithoutSecondStepProps) {
  const { t, i18n } = useTranslation();
  const locale = useLocale();
  const { opensAt } = challenge;
  const [opensAtIfRequested] = useState(() => serverNow() + limits.accountWaitDays * 86_400_000);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short' }).format(
    opensAt === null ? opensAtIfRequested : Date.parse(opensAt),
  );
  const startWait = async () => {
    setBusy(true);
    setError(null);
    try {
      const wait = await postJson<{ opensAt: string }>('/api/second-factor/wait', { ticket: challenge.ticket });
      onWaitStarted(wait.opensAt);
    } catch (failure) {
      const refused = failure instanceof ApiError && failure.serverMessage !== '';
      setError(refused ? explainServerError(i18n, failure) : t('secondStep.askFailed'));
    }
    setBusy(false);
  };
  return (
    <section aria-labelledby="no-second-step" className="mt-6">
      <h1 id="no-second-step" className="text-24 font-semibold tracking-tight text-balance">
        {opensAt === null ? t('secondStep.waitTitle') : t('secondStep.waitingTitle', { date })}
      </h1>
      <p role="status" className="mt-1.5 text-14 text-muted">
        {!challenge.mayWait
          ? t('secondStep.waitNot')
          : opensAt === null
            ? t('secondStep.waitText', { date })
            : t('secondStep.waitingText')}
      </p>
      {challenge.mayWait && opensAt === null && <p className="mt-3 text-14 text-muted">{t('secondStep.waitElse')}</p>}
      <div className="mt-7 flex flex-col gap-2">
        {challenge.mayWait && opensAt === null && (
          <Button size="large" wide busy={busy} onClick={() => void startWait()}>
            {t(busy ? 'secondStep.asking' : 'secondStep.ask')}
          </Button>
        )}
        {error !== null && (
          <p role="alert" className="text-13 text-danger-text">
            {error}
          </p>
        )}
        <Button size="large" wide kind="secondary" disabled={busy} onClick={onBack}>
          {t('common.back')}
        </Button>
      </div>
    </section>
  );
}
