import { routes, type FreshProofState } from '@nolo/api';
import { useQuery } from '@tanstack/react-query';
import { ArrowLeft, KeyRound, Mail, MessageSquareText } from 'lucide-react';
import { Suspense, useEffect, useRef, useState } from 'react';
import { call } from '../../api/httpClient.ts';
import { queryKeys } from '../../api/queries.ts';
import { onProofOutcome, type ProofOutcome } from './proofChannel.ts';
import { AuthenticatorProof } from './AuthenticatorProof.tsx';
import { canUsePasskeys } from '../passkeys/canUsePasskeys.ts';
import { proofStore } from '../../api/proof.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { QueryPlaceholder } from '../../ui/QueryPlaceholder.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { DemoHint } from '../signIn/DemoHint.tsx';
import { PhoneSteps } from '../signIn/PhoneSteps.tsx';
import { usePhoneVerification } from '../signIn/usePhoneVerification.ts';
import { lazyOptional } from '../../ui/lazyComponents.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { phoneFormTexts } from '../signIn/phoneFormTexts.ts';
import { securityTexts } from './securityTexts.ts';

const PasskeyProof = lazyOptional(async () => (await import('./PasskeyProof.tsx')).PasskeyProof);

/**
 * Asks the user for a proof of identity: a passkey, a code from their authenticator app or sent to their number or
 * address, or signing in with the provider again.
 */
export function ProofDialog() {
  const { t } = useTexts(phoneFormTexts, securityTexts);
  const settle = (proven: boolean) => proofStore.getState().settle(proven);
  const [byMail, setByMail] = useState(false);
  const byPhone = usePhoneVerification({ purpose: 'prove', onDone: () => settle(true) });
  const mail = usePhoneVerification({ purpose: 'prove', mail: true, onDone: () => settle(true) });
  const verification = byMail ? mail : byPhone;
  const { step, busy, error } = verification.form;
  return (
    <Dialog
      open
      size="small"
      onOpenChange={(open) => open || settle(false)}
      title={step === 'number' ? t('security:proofTitle') : t('phoneForm:codeTitle')}
      {...(step === 'number' && { description: t('security:proofText') })}
    >
      {step === 'number' ? (
        <Ways
          onSend={(to, mails) => {
            setByMail(mails);
            void (mails ? mail : byPhone).send(to);
          }}
          busy={busy === 'sending'}
          error={error}
        />
      ) : (
        <>
          <PhoneSteps verification={verification} submitLabel={t('security:proofConfirm')} heading={() => null} />
          <Button
            kind="quiet"
            wide
            className="mt-2"
            icon={<ArrowLeft className="rtl:-scale-x-100" />}
            disabled={busy === 'verifying'}
            onClick={verification.back}
          >
            {t('common.back')}
          </Button>
          <DemoHint />
        </>
      )}
    </Dialog>
  );
}

interface WaysProps {
  /** Sends a code to a number, or to the email address. */
  onSend: (to: string, mails: boolean) => void;
  busy: boolean;
  /** Reason why no code could be sent. */
  error: string | null;
}

function Ways({ onSend, busy, error }: WaysProps) {
  const { t } = useTexts(securityTexts);
  const query = useQuery({
    queryKey: queryKeys.proof,
    queryFn: ({ signal }): Promise<FreshProofState> => call(routes.getProof, { signal }),
    staleTime: 0,
  });
  const [chosen, setChosen] = useState<string | null>(null);
  const { data } = query;
  if (!data || query.isError) {
    return (
      <QueryPlaceholder
        query={query}
        failed={t('security:proofLoadFailed')}
        loading={t('security:proofTitle')}
        rows={1}
      />
    );
  }
  const passkey = data.passkey && canUsePasskeys();
  const addresses = [...data.phoneNumbers, data.email ?? []].flat();
  const ways = addresses.length + Number(data.provider) + Number(passkey) + Number(data.authenticator);
  if (ways === 0) return <p className="text-14">{t('security:proofNone')}</p>;
  return (
    <div className="flex flex-col gap-2">
      {passkey && (
        <Suspense fallback={<Skeleton className="h-12 w-full rounded-control" />}>
          <PasskeyProof />
        </Suspense>
      )}
      {data.authenticator && <AuthenticatorProof />}
      {addresses.map((address) => (
        <Button
          key={address}
          size="large"
          wide
          kind={ways === 1 ? 'primary' : 'secondary'}
          icon={address === data.email ? <Mail /> : <MessageSquareText />}
          busy={busy && chosen === address}
          disabled={busy}
          onClick={() => {
            setChosen(address);
            onSend(address, address === data.email);
          }}
        >
          <bdi dir="ltr" className="wrap-anywhere">
            {t('security:proofSend', { number: address })}
          </bdi>
        </Button>
      ))}
      {error !== null && (
        <p role="alert" className="text-13 text-danger-text">
          {error}
        </p>
      )}
      {data.provider && <ProviderWay only={ways === 1} />}
    </div>
  );
}

/** Interval for checking if the provider's window is still open, in milliseconds. */
const pollIntervalMs = 500;

/** Opens the provider's page in a separate window, so that nothing here is lost. */
function ProviderWay({ only }: { only: boolean }) {
  const { t } = useTexts(securityTexts);
  const [outcome, setOutcome] = useState<Exclude<ProofOutcome, 'proven'> | 'blocked' | 'waiting' | null>(null);
  const opened = useRef<Window | null>(null);
  useEffect(
    () =>
      onProofOutcome((proofOutcome) => {
        if (proofOutcome === 'proven') proofStore.getState().settle(true);
        else setOutcome(proofOutcome);
      }),
    [],
  );
  useEffect(() => {
    if (outcome !== 'waiting') return undefined;
    // Stops waiting when the window was closed without finishing; no event reports that.
    const looking = setInterval(() => {
      if (opened.current?.closed) setOutcome(null);
    }, pollIntervalMs);
    return () => clearInterval(looking);
  }, [outcome]);
  return (
    <>
      <Button
        size="large"
        wide
        kind={only ? 'primary' : 'secondary'}
        icon={<KeyRound />}
        onClick={() => {
          opened.current = window.open('/api/login?prove=1', 'nolo-proof', 'popup,width=480,height=680');
          setOutcome(opened.current ? 'waiting' : 'blocked');
        }}
      >
        {t('security:proofProvider')}
      </Button>
      {outcome === 'waiting' && (
        <p role="status" className="text-13 text-muted">
          {t('security:proofProviderWaiting')}
        </p>
      )}
      {outcome !== null && outcome !== 'waiting' && (
        <p role="alert" className="text-13 text-danger-text">
          {t(`security:proofErrors.${outcome}`)}
        </p>
      )}
    </>
  );
}
