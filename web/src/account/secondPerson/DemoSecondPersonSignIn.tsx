import { useCallback, useEffect, useRef, useState } from 'react';
import { explainFailure } from '../../i18n/explainFailure.ts';
import { loadConfig } from '../../session/config.ts';
import { sessionStore } from '../../session/session.ts';
import { NotFoundScreen } from '../../shell/NotFoundScreen.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { LogoIcon } from '../../ui/Logo.tsx';
import { signInDemoSecondPerson } from './signInDemoSecondPerson.ts';
import { parseDemoSecondWindowHash, demoSecondPersonName } from './demoSecondWindow.ts';
import { useTexts } from '../../i18n/texts.ts';
import { secondPersonTexts } from './secondPersonTexts.ts';

type Step = { at: 'arriving' } | { at: 'nowhere' } | { at: 'failed'; why: string };

/** Page where the second person of a demo is signed in automatically. Does nothing outside of demo mode. */
export function DemoSecondPersonSignIn() {
  const { t, i18n } = useTexts(secondPersonTexts);
  const [step, setStep] = useState<Step>({ at: 'arriving' });
  const begun = useRef(false);
  const name = demoSecondPersonName.firstName;

  const begin = useCallback(async (): Promise<void> => {
    setStep({ at: 'arriving' });
    const config = await loadConfig();
    const secondWindow = parseDemoSecondWindowHash(location.hash);
    if (config?.demoMode !== true || config.demoCode === undefined || secondWindow === null)
      return setStep({ at: 'nowhere' });
    try {
      const hello = t('secondPerson:hello', { name });
      const { user, path } = await signInDemoSecondPerson({ ...secondWindow, code: config.demoCode, hello });
      history.replaceState(null, '', path);
      sessionStore.getState().signedIn(user);
    } catch (error) {
      setStep({ at: 'failed', why: explainFailure(i18n, error) });
    }
  }, [i18n, name, t]);
  useEffect(() => {
    // Runs once, however often the screen renders, because it signs a user in.
    if (begun.current) return;
    begun.current = true;
    void begin();
  }, [begin]);

  if (step.at === 'nowhere') return <NotFoundScreen />;
  return (
    <main className="grid h-dvh place-items-center bg-page px-6">
      {step.at === 'failed' ? (
        <ErrorState title={t('secondPerson:failed')} description={step.why} onRetry={() => void begin()} />
      ) : (
        <p role="status" className="flex flex-col items-center gap-4 text-14 text-muted">
          <LogoIcon className="size-11 animate-pulse" />
          {t('secondPerson:arriving', { name })}
        </p>
      )}
    </main>
  );
}
