import type { Self } from '@nolo/api';
import { useEffect, useRef, useState, type FormEvent, type ReactNode } from 'react';
import { limits } from '@nolo/rules';
import { serverNow } from '../../api/serverClock.ts';
import { ApiError } from '../../api/request.ts';
import { postJson } from '../../api/verification.ts';
import { useLocale } from '../../i18n/locale.ts';
import { explainServerError } from '../../i18n/explainFailure.ts';
import { Button } from '../../ui/Button.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { secondStepTexts } from './secondStepTexts.ts';

/** Server's answer to a correct code by text message. */
export interface SecondStepChallenge {
  ticket: string;
  /** True if the account has a passkey, which is enough by itself. */
  passkey: boolean;
  /** True if the user can request access without the second step. */
  mayWait: boolean;
  /** Time at which access opens without it, if already requested. */
  opensAt: string | null;
}

interface SecondStepProps {
  challenge: SecondStepChallenge;
  onDone: (user: Self) => void;
  /** The ticket is no longer valid: starts again with the number. */
  onRestart: () => void;
  /** Button for a passkey, if browsers support them here. */
  passkey?: ReactNode;
}

const spentCodes = ['ticket_invalid', 'second_factor_spent'];
const appDigits = 6;

/** Step after the code by text message: an authenticator code, a recovery code, a passkey, or none of these. */
export function SecondStep({ challenge, onDone, onRestart, passkey }: SecondStepProps) {
  const { t } = useTexts(secondStepTexts);
  const [opensAt, setOpensAt] = useState(challenge.opensAt);
  const [way, setWay] = useState<'app' | 'recovery' | 'none'>('app');
  if (way === 'none')
    return (
      <SignInWithoutSecondStep
        challenge={{ ...challenge, opensAt }}
        onBack={() => setWay('app')}
        onWaitStarted={setOpensAt}
      />
    );
  return (
    <section aria-labelledby="second-step" className="mt-6">
      <h1 id="second-step" className="text-24 font-semibold tracking-tight text-balance">
        {t('secondStep:title')}
      </h1>
      <CodeForm
        // Each way starts with an empty field that has the focus.
        key={way}
        way={way}
        ticket={challenge.ticket}
        onDone={onDone}
        onRestart={onRestart}
      />
      <div className="mt-6 flex flex-col gap-2 border-t border-line pt-5">
        {challenge.passkey && passkey}
        <Button wide kind="secondary" onClick={() => setWay(way === 'app' ? 'recovery' : 'app')}>
          {t(way === 'app' ? 'secondStep:useRecovery' : 'secondStep:useApp')}
        </Button>
        <Button wide kind="quiet" onClick={() => setWay('none')}>
          {t('secondStep:none')}
        </Button>
      </div>
    </section>
  );
}

interface CodeFormProps {
  way: 'app' | 'recovery';
  ticket: string;
  onDone: (user: Self) => void;
  onRestart: () => void;
}

function CodeForm({ way, ticket, onDone, onRestart }: CodeFormProps) {
  const { t, i18n } = useTexts(secondStepTexts);
  const [code, setCode] = useState('');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const [spent, setSpent] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (error !== null) field.current?.focus();
  }, [error]);

  const send = async (typed: string) => {
    if (busy || spent || typed === '') return;
    setBusy(true);
    setError(null);
    try {
      const { user } = await postJson<{ user: Self }>('/api/second-factor/verify', { ticket, code: typed });
      onDone(user);
    } catch (failure) {
      const refusal = failure instanceof ApiError && failure.serverMessage !== '' ? failure : undefined;
      setSpent(refusal !== undefined && spentCodes.includes(refusal.code));
      setError(refusal ? explainServerError(i18n, refusal) : t('secondStep:failed'));
      // A wrong code is cleared; one that was not checked stays.
      if (refusal) setCode('');
      setBusy(false);
    }
  };
  const type = (typed: string) => {
    const next = way === 'app' ? typed.replace(/\D/g, '').slice(0, appDigits) : typed;
    setCode(next);
    if (!spent) setError(null);
    // The last digit submits the code.
    if (way === 'app' && next !== code && next.length === appDigits) void send(next);
  };
  const complete = way === 'app' ? code.length === appDigits : code.trim() !== '';

  return (
    <form
      noValidate
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        if (complete) void send(code);
      }}
    >
      <p className="mt-1.5 mb-6 text-14 text-muted">
        {t(way === 'app' ? 'secondStep:appLead' : 'secondStep:recoveryLead')}
      </p>
      <TextField
        ref={field}
        size="large"
        steady
        name={way === 'app' ? 'oneTimePassword' : 'recoveryCode'}
        {...(way === 'app' && { inputMode: 'numeric', pattern: '[0-9]*' })}
        autoComplete={way === 'app' ? 'one-time-code' : 'off'}
        autoCapitalize="none"
        dir="ltr"
        autoFocus
        spellCheck={false}
        maxLength={32}
        label={t(way === 'app' ? 'secondStep:appCode' : 'secondStep:recoveryCode')}
        error={error}
        value={code}
        onChange={(event) => type(event.target.value)}
        inputClassName={
          way === 'app'
            ? 'tabular text-center text-20 font-semibold tracking-[0.4em] indent-[0.4em]'
            : 'tabular text-center font-semibold tracking-[0.1em]'
        }
      />
      {spent ? (
        <Button size="large" wide className="mt-1" onClick={onRestart}>
          {t('secondStep:restart')}
        </Button>
      ) : (
        <Button type="submit" size="large" wide className="mt-1" disabled={!complete} busy={busy}>
          {t(busy ? 'secondStep:busy' : 'secondStep:submit')}
        </Button>
      )}
    </form>
  );
}

interface SignInWithoutSecondStepProps {
  challenge: SecondStepChallenge;
  onBack: () => void;
  onWaitStarted: (opensAt: string) => void;
}

/** Explains how long signing in without the second step takes, and starts the wait. */
function SignInWithoutSecondStep({ challenge, onBack, onWaitStarted }: SignInWithoutSecondStepProps) {
  const { t, i18n } = useTexts(secondStepTexts);
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
      setError(refused ? explainServerError(i18n, failure) : t('secondStep:askFailed'));
    }
    setBusy(false);
  };
  return (
    <section aria-labelledby="no-second-step" className="mt-6">
      <h1 id="no-second-step" className="text-24 font-semibold tracking-tight text-balance">
        {opensAt === null ? t('secondStep:waitTitle') : t('secondStep:waitingTitle', { date })}
      </h1>
      <p role="status" className="mt-1.5 text-14 text-muted">
        {!challenge.mayWait
          ? t('secondStep:waitNot')
          : opensAt === null
            ? t('secondStep:waitText', { date })
            : t('secondStep:waitingText')}
      </p>
      {challenge.mayWait && opensAt === null && <p className="mt-3 text-14 text-muted">{t('secondStep:waitElse')}</p>}
      <div className="mt-7 flex flex-col gap-2">
        {challenge.mayWait && opensAt === null && (
          <Button size="large" wide busy={busy} onClick={() => void startWait()}>
            {t(busy ? 'secondStep:asking' : 'secondStep:ask')}
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
