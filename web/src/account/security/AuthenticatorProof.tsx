import { routes } from '@nolo/api';
import { Smartphone } from 'lucide-react';
import { useEffect, useRef, useState, type FormEvent } from 'react';
import { ApiError } from '../../api/request.ts';
import { explainServerError } from '../../i18n/explainFailure.ts';
import { Button } from '../../ui/Button.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { useAction } from '../../ui/useAction.ts';
import { proofStore } from '../../api/proof.ts';
import { useTexts } from '../../i18n/texts.ts';
import { securityTexts } from './securityTexts.ts';

const appDigits = 6;

/** Fresh proof by the authenticator app: nothing is sent, so the field opens immediately. */
export function AuthenticatorProof() {
  const { t, i18n } = useTexts(securityTexts);
  const [open, setOpen] = useState(false);
  const [code, setCode] = useState('');
  const [error, setError] = useState<string | null>(null);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (error !== null) field.current?.focus();
  }, [error]);

  const prove = useAction(routes.proveBySecondFactor, {
    // Shown at the field.
    failure: (failure) => {
      const refusal = failure instanceof ApiError && failure.serverMessage !== '' ? failure : undefined;
      setError(refusal ? explainServerError(i18n, refusal) : t('security:proofAppFailed'));
      // A wrong code is cleared; one that was not checked stays.
      if (refusal) setCode('');
    },
    onDone: () => proofStore.getState().settle(true),
  });
  const send = (typed: string) => {
    if (prove.busy) return;
    setError(null);
    void prove.run({ body: { code: typed } });
  };
  const type = (typed: string) => {
    const next = typed.replace(/\D/g, '').slice(0, appDigits);
    setCode(next);
    setError(null);
    // The last digit submits the code.
    if (next !== code && next.length === appDigits) send(next);
  };

  if (!open) {
    return (
      <Button size="large" wide icon={<Smartphone />} onClick={() => setOpen(true)}>
        {t('security:proofApp')}
      </Button>
    );
  }
  return (
    <form
      noValidate
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        if (code.length === appDigits) send(code);
      }}
    >
      <TextField
        ref={field}
        size="large"
        steady
        name="oneTimePassword"
        inputMode="numeric"
        pattern="[0-9]*"
        autoComplete="one-time-code"
        dir="ltr"
        autoFocus
        spellCheck={false}
        maxLength={16}
        label={t('security:proofAppCode')}
        hint={t('security:proofAppHint')}
        error={error}
        value={code}
        onChange={(event) => type(event.target.value)}
        inputClassName="tabular text-center text-20 font-semibold tracking-[0.4em] indent-[0.4em]"
      />
      <Button type="submit" size="large" wide className="mt-1" disabled={code.length !== appDigits} busy={prove.busy}>
        {t('security:proofConfirm')}
      </Button>
    </form>
  );
}
