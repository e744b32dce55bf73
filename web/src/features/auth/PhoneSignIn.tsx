import { ArrowLeft } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useEffect } from 'react';
import { loadConfig } from '../../state/config.ts';
import { sessionStore } from '../../state/session.ts';
import { phoneMarker, setPhoneMarker, setSessionMarker } from '../../state/sessionMarker.ts';
import { toast } from '../../state/toasts.ts';
import { LogoMark } from '../../ui/Logo.tsx';
import { PlainIconButton } from '../../ui/PlainIconButton.tsx';
import { DemoHint } from './DemoHint.tsx';
import { PhoneSteps } from './PhoneSteps.tsx';
import { usePhoneVerification } from './usePhoneVerification.ts';

export interface PhoneSignInProps {
  /** Leaves the form from its first step. */
  onBack: () => void;
}

/** Signing in by phone: the number, then the code that was sent to it. */
export function PhoneSignIn({ onBack }: PhoneSignInProps) {
  const { t } = useTranslation();
  useEffect(() => void loadConfig(), []);
  const verification = usePhoneVerification({
    // Whoever was here before signs in again with the same number.
    number: phoneMarker(localStorage) ?? '',
    onDone: (user) => {
      setSessionMarker(localStorage);
      if (user.phoneNumber !== null) setPhoneMarker(localStorage, user.phoneNumber);
      toast({ kind: 'success', title: t('auth.registered') });
      // The address stays, so a deep link leads where it pointed.
      sessionStore.getState().signedIn(user);
    },
  });
  const { step, busy } = verification.form;

  return (
    <main className="flex min-h-full flex-col px-5 pt-[calc(env(safe-area-inset-top)+0.75rem)] pb-8">
      <PlainIconButton
        label={t('common.back')}
        icon={<ArrowLeft className="rtl:-scale-x-100" />}
        disabled={busy === 'verifying'}
        onClick={step === 'code' ? verification.back : onBack}
      />
      <div className="m-auto w-full max-w-90 py-10">
        <LogoMark className="size-11" />
        <PhoneSteps
          verification={verification}
          submitLabel={t('auth.completeRegistration')}
          heading={(shown) => (
            <>
              <h1 className="mt-6 text-24 font-semibold tracking-tight text-balance">
                {shown === 'number' ? t('auth.phoneTitle') : t('auth.codeTitle')}
              </h1>
              <div className="h-1.5" />
              {shown === 'number' && <p className="mb-7 text-14 text-muted">{t('auth.phoneLead')}</p>}
            </>
          )}
        />
        <DemoHint />
      </div>
    </main>
  );
}
