import { useEffect } from 'react';
import { LogoIcon } from '../ui/Logo.tsx';
import { readConnectResult, publishConnectEnd } from './socialChannel.ts';
import { useTexts } from '../i18n/texts.ts';
import { connectTexts } from './connectTexts.ts';

/** Final page of the window that connects a social account: reports to the opener and closes. */
export function SocialReturn() {
  const { t } = useTexts(connectTexts);
  useEffect(() => {
    publishConnectEnd(readConnectResult(location.search));
    window.close();
  }, []);
  return (
    <main className="grid h-dvh place-items-center bg-page p-6">
      <div className="flex max-w-90 flex-col items-center gap-4 text-center">
        <LogoIcon className="size-11" />
        <p role="status" className="text-16">
          {readConnectResult(location.search).outcome === 'connected' ? t('connect:done') : t('connect:notDone')}
        </p>
      </div>
    </main>
  );
}
