import type { Self } from '@nolo/api';
import { ArrowLeft, Mail } from 'lucide-react';
import { Suspense, useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { configStore, loadConfig } from '../../session/config.ts';
import { loginAddress } from '../../session/returnPath.ts';
import { sessionStore } from '../../session/session.ts';
import { readPhoneMarker, setPhoneMarker, setSessionMarker } from '../../session/sessionMarker.ts';
import { toast } from '../../ui/toasts.ts';
import { LogoIcon } from '../../ui/Logo.tsx';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { PlainIconButton } from '../../ui/PlainIconButton.tsx';
import { canUsePasskeys } from '../passkeys/canUsePasskeys.ts';
import { PhoneSteps } from './PhoneSteps.tsx';
import { readInvitationToken, usePhoneVerification } from './usePhoneVerification.ts';
import { lazyOptional, lazyComponent } from '../../ui/lazyComponents.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { phoneFormTexts } from './phoneFormTexts.ts';

/** Loaded separately, because production installations do not use it. */
const DemoHint = lazyOptional(async () => (await import('./DemoHint.tsx')).DemoHint);

/** Loaded separately, because the history code is larger than the form. */
const BackCloses = lazyOptional(async () => (await import('../../ui/CloseOnBack.tsx')).CloseOnBack);

/** Loaded after the form, whose place it does not take. */
const PasskeySignIn = lazyOptional(async () => (await import('./PasskeySignIn.tsx')).PasskeySignIn);

/** Step for accounts with a second factor. */
const SecondStep = lazyComponent(async () => (await import('../factor/SecondStep.tsx')).SecondStep);

/** Step for a number that recently left an account, which few users ever see. */
const ReplacedNumber = lazyComponent(async () => (await import('./ReplacedNumberChoice.tsx')).ReplacedNumberChoice);

interface PhoneSignInProps {
  /** Leaves the form from its first step. */
  onBack: () => void;
  /** True if the browser's Back also leaves the form, because another page was here before. */
  closes?: boolean;
}

/** Form to sign in by phone: the number, then the code sent to it; or by email if the number is lost. */
export function PhoneSignIn({ onBack, closes = false }: PhoneSignInProps) {
  const { t } = useTexts(phoneFormTexts);
  useEffect(() => void loadConfig(), []);
  const begin = (user: Self, created = false) => {
    setSessionMarker(localStorage);
    // Set without a number too: users who signed in by this form return to it.
    setPhoneMarker(localStorage, user.phoneNumber ?? '');
    toast({ kind: 'success', title: t(created ? 'phoneForm:registered' : 'phoneForm:welcomeBack') });
    // The address stays, so a deep link still leads to its target.
    sessionStore.getState().signedIn(user);
  };
  const [byMail, setByMail] = useState(false);
  const byPhone = usePhoneVerification({
    // A returning user signs in again with the same number.
    number: readPhoneMarker(localStorage) ?? '',
    onDone: begin,
  });
  const mail = usePhoneVerification({ mail: true, onDone: (user) => begin(user) });
  const verification = byMail ? mail : byPhone;
  const { step, busy, replacedAt, secondStep } = verification.form;
  const registration = useStore(configStore, ({ config }) => config?.registration ?? 'open');
  const invited = readInvitationToken(location.hash) !== undefined;
  const demo = useStore(configStore, ({ config }) => config?.demoMode === true);
  const passkeys = useStore(configStore, ({ config }) => config?.features.passkeys === true) && canUsePasskeys();

  return (
    <main className="flex min-h-full flex-col px-5 pt-[calc(env(safe-area-inset-top)+0.75rem)] pb-8">
      <Suspense>
        {closes && <BackCloses onBack={onBack} />}
        {byMail && <BackCloses onBack={() => setByMail(false)} />}
        {step === 'code' && <BackCloses onBack={verification.back} />}
      </Suspense>
      <PlainIconButton
        label={t('common.back')}
        icon={<ArrowLeft className="rtl:-scale-x-100" />}
        disabled={busy === 'verifying'}
        onClick={step === 'code' ? verification.back : byMail ? () => setByMail(false) : onBack}
      />
      {/* Aligned to the top, so that content growing below moves nothing above. */}
      <div className="mx-auto w-full max-w-90 pt-[clamp(1rem,9dvh,6rem)] pb-10">
        <LogoIcon className="size-11" />
        {secondStep !== null ? (
          <Suspense>
            <SecondStep
              challenge={secondStep}
              onDone={(user) => begin(user)}
              onRestart={verification.back}
              passkey={passkeys && <PasskeySignIn onDone={(user) => begin(user)} />}
            />
          </Suspense>
        ) : replacedAt !== null ? (
          <Suspense>
            <ReplacedNumber verification={verification} />
          </Suspense>
        ) : (
          <PhoneSteps
            verification={verification}
            passkeys={passkeys && !byMail}
            submitLabel={t(byMail ? 'phoneForm:signIn' : 'phoneForm:completeRegistration')}
            heading={(shown) => (
              <>
                <h1 className="mt-6 text-24 font-semibold tracking-tight text-balance">
                  {shown === 'code'
                    ? t('phoneForm:codeTitle')
                    : byMail
                      ? t('phoneForm:mailTitle')
                      : t('auth.phoneTitle')}
                </h1>
                <div className="h-1.5" />
                {shown === 'number' && (
                  <p className="mb-7 text-14 text-muted">
                    {t(byMail ? 'phoneForm:mailLead' : 'phoneForm:phoneLead')}
                    {!byMail &&
                      registration !== 'open' &&
                      ` ${t(registration === 'closed' ? 'phoneForm:newClosed' : invited ? 'phoneForm:invited' : 'phoneForm:newInvited')}`}
                  </p>
                )}
              </>
            )}
          />
        )}
        {byMail && step === 'number' && (
          <Button kind="quiet" size="large" wide className="mt-2" onClick={() => setByMail(false)}>
            {t('phoneForm:usePhone')}
          </Button>
        )}
        {step === 'number' && !byMail && (
          <OtherWays passkeys={passkeys} onMail={() => setByMail(true)} onDone={(user) => begin(user)} />
        )}
        {/* Last, because it loads last: nothing moves for it. */}
        {demo && replacedAt === null && secondStep === null && (
          <Suspense>
            <DemoHint />
          </Suspense>
        )}
      </div>
    </main>
  );
}

interface OtherWaysProps {
  passkeys: boolean;
  onMail: () => void;
  onDone: (user: Self) => void;
}

/** Alternative ways to sign in. */
function OtherWays({ passkeys, onMail, onDone }: OtherWaysProps) {
  const { t } = useTexts(phoneFormTexts);
  const mails = useStore(configStore, ({ config }) => config?.features.mailSignIn === true);
  const provider = useStore(configStore, ({ config }) => config?.features.providerSignIn === true);
  if (!provider && !passkeys && !mails) return null;
  return (
    <div className="mt-6 flex flex-col gap-3 border-t border-line pt-5">
      <p className="text-center text-14 text-muted">{t('phoneForm:otherWay')}</p>
      {passkeys && (
        <Suspense fallback={<div className="h-12" />}>
          <PasskeySignIn onDone={onDone} />
        </Suspense>
      )}
      {mails && (
        <Button kind="secondary" size="large" wide icon={<Mail />} onClick={onMail}>
          {t('phoneForm:useMail')}
        </Button>
      )}
      {provider && (
        <ButtonLink
          size="large"
          wide
          kind="secondary"
          href={loginAddress(location.pathname + location.search + location.hash)}
        >
          {t('phoneForm:traditionalSignIn')}
        </ButtonLink>
      )}
    </div>
  );
}
