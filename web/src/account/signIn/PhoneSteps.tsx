import { useEffect, useRef, useState, type FormEvent, type ReactNode } from 'react';
import { serverNow } from '../../api/serverClock.ts';
import { Button } from '../../ui/Button.tsx';
import { classNames } from '../../ui/classNames.ts';
import { TextField } from '../../ui/TextField.tsx';
import { usePhoneNumberModule } from '../../ui/phone/loadPhoneNumberModule.ts';
import { PhoneField } from '../../ui/phone/PhoneField.tsx';
import { codeLength, formatCountdown } from './phoneForm.ts';
import type { PhoneVerification } from './usePhoneVerification.ts';
import { useTexts } from '../../i18n/texts.ts';
import { phoneFormTexts } from './phoneFormTexts.ts';

interface PhoneStepsProps {
  verification: PhoneVerification;
  /** Label of the button in step 2; shows 'Verifying...' meanwhile. */
  submitLabel: string;
  heading: (step: 'number' | 'code') => ReactNode;
  className?: string;
  /** True if the browser may offer passkeys next to numbers. */
  passkeys?: boolean;
}

/** Fields of both steps, used in the page and in the dialog. */
export function PhoneSteps({ verification, submitLabel, heading, className, passkeys = false }: PhoneStepsProps) {
  const { form } = verification;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void (form.step === 'number' ? verification.send() : verification.verify());
  };
  return (
    <form key={form.step} noValidate onSubmit={submit} className={className}>
      {heading(form.step)}
      {form.step === 'number' && verification.mail ? (
        <MailStep verification={verification} />
      ) : form.step === 'number' ? (
        <NumberStep verification={verification} passkeys={passkeys} />
      ) : (
        <CodeStep verification={verification} submitLabel={submitLabel} />
      )}
    </form>
  );
}

function NumberStep({
  verification: { form, typeNumber, chooseCountry },
  passkeys,
}: Pick<PhoneStepsProps, 'verification' | 'passkeys'>) {
  const { t } = useTexts(phoneFormTexts);
  const field = useRef<HTMLInputElement>(null);
  useFocusOnError(field, form.error);
  // Focuses after painting: focusing together with the form would force its layout in the same task.
  useEffect(() => field.current?.focus(), []);
  return (
    <>
      <PhoneField
        ref={field}
        size="large"
        steady
        name="phoneNumber"
        autoComplete={passkeys ? 'tel webauthn' : 'tel'}
        label={t('auth.phoneLabel')}
        placeholder={t('auth.phonePlaceholder')}
        hint={t('phoneForm:phoneHint')}
        error={form.error}
        value={form.number}
        onValueChange={typeNumber}
        country={form.country}
        onCountryChange={chooseCountry}
      />
      <Button type="submit" size="large" wide className="mt-1" busy={form.busy === 'sending'}>
        {form.busy === 'sending' ? t('phoneForm:sending') : t('auth.continue')}
      </Button>
    </>
  );
}

/** Address field, if codes are sent by email. */
function MailStep({ verification: { form, typeNumber } }: Pick<PhoneStepsProps, 'verification'>) {
  const { t } = useTexts(phoneFormTexts);
  const field = useRef<HTMLInputElement>(null);
  useFocusOnError(field, form.error);
  return (
    <>
      <TextField
        ref={field}
        size="large"
        steady
        type="email"
        inputMode="email"
        name="email"
        autoComplete="email"
        autoCapitalize="none"
        spellCheck={false}
        dir="ltr"
        autoFocus
        label={t('phoneForm:mailLabel')}
        error={form.error}
        value={form.number}
        onChange={(event) => typeNumber(event.target.value)}
      />
      <Button type="submit" size="large" wide className="mt-1" busy={form.busy === 'sending'}>
        {form.busy === 'sending' ? t('phoneForm:sending') : t('auth.continue')}
      </Button>
    </>
  );
}

/** Formatted number, or the email address. */
function SentTo({ to }: { to: string }) {
  const numbers = usePhoneNumberModule();
  return numbers?.readableNumber(to) ?? to;
}

function CodeStep({
  verification: { form, mail, purpose, typeCode, send },
  submitLabel,
}: Pick<PhoneStepsProps, 'verification' | 'submitLabel'>) {
  const { t } = useTexts(phoneFormTexts);
  const field = useRef<HTMLInputElement>(null);
  useFocusOnError(field, form.error);
  return (
    <>
      <p className="mb-6 text-14 text-muted">
        {t(mail && purpose === 'signIn' ? 'phoneForm:mailCodeLead' : 'phoneForm:codeLead')}{' '}
        <bdi dir="ltr" className={classNames('font-medium text-ink', mail ? 'wrap-anywhere' : 'whitespace-nowrap')}>
          {mail ? form.sentTo : <SentTo to={form.sentTo} />}
        </bdi>
      </p>
      <TextField
        ref={field}
        size="large"
        steady
        name="code"
        inputMode="numeric"
        pattern="[0-9]*"
        autoComplete="one-time-code"
        dir="ltr"
        autoFocus
        spellCheck={false}
        label={t('phoneForm:codeLabel')}
        error={form.error}
        value={form.code}
        onChange={(event) => typeCode(event.target.value)}
        inputClassName="tabular text-center text-20 font-semibold tracking-[0.4em] indent-[0.4em]"
      />
      <Button
        type="submit"
        size="large"
        wide
        className="mt-1"
        disabled={form.code.length !== codeLength || form.spent}
        busy={form.busy === 'verifying'}
      >
        {form.busy === 'verifying' ? t('phoneForm:verifying') : submitLabel}
      </Button>
      <ResendCodeButton
        key={form.resendAt}
        resendAt={form.resendAt}
        busy={form.busy === 'sending'}
        disabled={form.busy === 'verifying'}
        prominent={form.spent}
        onResend={() => void send()}
      />
    </>
  );
}

/** Focuses the field of an error message when the message appears. */
function useFocusOnError(field: React.RefObject<HTMLInputElement | null>, error: string | null): void {
  useEffect(() => {
    if (error !== null) field.current?.focus();
  }, [field, error]);
}

interface ResendCodeButtonProps {
  /** Time at which another code may be requested. */
  resendAt: number;
  busy: boolean;
  disabled: boolean;
  /** True if the present code is no longer valid, so this is now the way forward. */
  prominent: boolean;
  onResend: () => void;
}

/** Requests a new code, with a countdown until that is allowed. Needs `resendAt` as its key. */
function ResendCodeButton({ resendAt, busy, disabled, prominent, onResend }: ResendCodeButtonProps) {
  const { t } = useTexts(phoneFormTexts);
  const [now, setNow] = useState(() => serverNow());
  useEffect(() => {
    const timer = setInterval(() => {
      setNow(serverNow());
      if (serverNow() >= resendAt) clearInterval(timer);
    }, 1_000);
    return () => clearInterval(timer);
  }, [resendAt]);
  const wait = resendAt - now;
  return (
    <Button
      kind={prominent ? 'secondary' : 'quiet'}
      size="large"
      wide
      className="tabular mt-2"
      busy={busy}
      disabled={disabled || wait > 0}
      onClick={onResend}
    >
      {wait > 0 ? t('phoneForm:resendIn', { time: formatCountdown(wait) }) : t('phoneForm:resend')}
    </Button>
  );
}
