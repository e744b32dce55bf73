import type { ScanVerdict } from '@nolo/client/keys/types';
import { BadgeCheck, ScanQrCode, ShieldAlert } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTexts } from '../i18n/texts.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { ErrorState } from '../ui/ErrorState.tsx';
import { QrCode } from '../ui/QrCode.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { toast } from '../ui/toasts.ts';
import { keysTexts } from './keysTexts.ts';
import { groupDigits } from './model/formatDigits.ts';
import { keysStore } from './model/keysStore.ts';
import { ScanCode } from './ScanCode.tsx';
import { useKeysAction } from './useKeys.ts';
import { usePersonKeys } from './usePersonKeys.ts';

interface VerifyDialogProps {
  userId: string;
  name: string;
  onClose: () => void;
}

interface Comparison {
  readonly number: string;
  readonly code: string;
}

/** Loads the number and the code. Null while loading, undefined if that failed or the person has no keys. */
function useComparison(userId: string): { comparison: Comparison | null | undefined; retry: () => void } {
  const [comparison, setComparison] = useState<Comparison | null | undefined>(null);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    let left = false;
    const load = async () => {
      const { keys } = keysStore.getState();
      const [number, code] = await Promise.all([keys?.numberWith(userId), keys?.verificationCode(userId)]);
      return number && code ? { number, code } : undefined;
    };
    const show = (loaded: Comparison | undefined): void => {
      if (!left) setComparison(loaded);
    };
    load().then(show, () => show(undefined));
    return () => {
      left = true;
    };
  }, [userId, attempt]);
  return {
    comparison,
    retry: () => {
      setComparison(null);
      setAttempt(attempt + 1);
    },
  };
}

/** Compares keys with another person, by number or by code (docs/encryption.md, section 3). */
export function VerifyDialog({ userId, name, onClose }: VerifyDialogProps) {
  const { t } = useTexts(keysTexts);
  const person = usePersonKeys(userId);
  const { comparison, retry } = useComparison(userId);
  const [scanning, setScanning] = useState(false);
  const [verdict, setVerdict] = useState<ScanVerdict | null>(null);
  const isVerified = person?.verified === true && person.identity === 'known';
  const scan = useKeysAction((keys, content: string) => keys.scanVerificationCode(userId, content), {
    failure: t('keys:verify.failed'),
    onDone: (found) => {
      setVerdict(found);
      setScanning(false);
    },
  });
  const mark = useKeysAction((keys, verified: boolean) => keys.setVerified(userId, verified), {
    failure: t('keys:verify.failed'),
    onDone: (_, verified) => {
      toast({ kind: 'success', title: t(verified ? 'keys:verify.marked' : 'keys:verify.unmarked', { name }) });
      if (verified) onClose();
    },
  });
  return (
    <Dialog
      open
      onOpenChange={(open) => open || (scanning ? setScanning(false) : onClose())}
      title={t('keys:verify.title', { name })}
      {...(!scanning && { description: t('keys:verify.text', { name }) })}
      {...(!scanning &&
        comparison && {
          footer: isVerified ? (
            <Button kind="secondary" busy={mark.busy} onClick={() => void mark.run(false)}>
              {t('keys:verify.unmark')}
            </Button>
          ) : (
            <Button icon={<BadgeCheck />} busy={mark.busy} onClick={() => void mark.run(true)}>
              {t('keys:verify.mark')}
            </Button>
          ),
        })}
    >
      {scanning ? (
        <ScanCode
          text={t('keys:verify.scanText', { name })}
          pasteLabel={t('keys:verify.paste', { name })}
          busy={scan.busy}
          onCode={(content) => void scan.run(content)}
        />
      ) : (
        <div className="flex flex-col items-center gap-4">
          {verdict !== null && <Verdict verdict={verdict} name={name} />}
          {comparison === null && <Skeleton className="h-80 w-full" />}
          {comparison === undefined && <ErrorState title={t('keys:verify.loadFailed')} onRetry={retry} />}
          {comparison && (
            <>
              <NumberToCompare digits={comparison.number} />
              <QrCode value={comparison.code} label={t('keys:verify.code', { name })} />
              <Button kind="secondary" wide icon={<ScanQrCode />} onClick={() => setScanning(true)}>
                {t('keys:verify.scan', { name })}
              </Button>
              <p className="text-13 text-muted">{t('keys:verify.means', { name })}</p>
            </>
          )}
        </div>
      )}
    </Dialog>
  );
}

/** 60 digits in twelve groups, four in a line. */
function NumberToCompare({ digits }: { digits: string }) {
  const { t } = useTexts(keysTexts);
  return (
    <ol
      dir="ltr"
      data-safety-number
      aria-label={t('keys:verify.number')}
      className="tabular grid w-full grid-cols-4 gap-y-1 rounded-card bg-sunken px-2 py-4 text-center text-16 font-semibold sm:text-20"
    >
      {groupDigits(digits, 5).map((group, index) => (
        // Groups may repeat.
        <li key={`${index} ${group}`}>{group}</li>
      ))}
    </ol>
  );
}

function Verdict({ verdict, name }: { verdict: ScanVerdict; name: string }) {
  const { t } = useTexts(keysTexts);
  const isGood = verdict === 'verified';
  return (
    <p
      role={isGood ? 'status' : 'alert'}
      className={
        isGood
          ? 'flex w-full items-center gap-2 rounded-card bg-accent-subtle p-3 text-14 text-accent-text'
          : 'flex w-full items-center gap-2 rounded-card bg-danger-subtle p-3 text-14 text-danger-text'
      }
    >
      {isGood ? (
        <BadgeCheck aria-hidden="true" className="size-5 shrink-0" />
      ) : (
        <ShieldAlert aria-hidden="true" className="size-5 shrink-0" />
      )}
      {t(`keys:verify.verdict.${verdict}`, { name })}
    </p>
  );
}
