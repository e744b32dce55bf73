import { useEffect } from 'react';
import { LogoIcon } from '../../ui/Logo.tsx';
import { readProofOutcome, publishProofOutcome } from './proofChannel.ts';
import { useTexts } from '../../i18n/texts.ts';
import { securityTexts } from './securityTexts.ts';

/** Final page of the provider's window: reports to the window that opened it, and closes. */
export function ProofReturn() {
  const { t } = useTexts(securityTexts);
  const outcome = readProofOutcome(location.search);
  useEffect(() => {
    publishProofOutcome(outcome);
    window.close();
  }, [outcome]);
  return (
    <main className="grid h-dvh place-items-center bg-page p-6">
      <div className="flex max-w-90 flex-col items-center gap-4 text-center">
        <LogoIcon className="size-11" />
        <p role="status" className="text-16">
          {outcome === 'proven' ? t('security:proofDone') : t('security:proofNotDone')}
        </p>
      </div>
    </main>
  );
}
