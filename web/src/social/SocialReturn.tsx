import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { enConnect } from './enConnect.ts';
import { addWords } from '../i18n/i18n.ts';
import { LogoIcon } from '../ui/Logo.tsx';
import { readConnectResult, publishConnectEnd } from './socialChannel.ts';

/** Final page of the window that connects a social account: reports to the opener and closes. */
export function SocialReturn() {
  const { t, i18n } = useTranslation();
  addWords(i18n, 'connect', enConnect);
  useEffect(() => {
    publishConnectEnd(readConnectResult(location.search));
    window.close();
  }, []);
  return (
    <main className="grid h-dvh place-items-center bg-page p-6">
      <div className="flex max-w-90 flex-col items-center gap-4 text-center">
        <LogoIcon className="size-11" />
        <p role="status" className="text-16">
          {readConnectResult(location.search).outcome === 'connected' ? t('connect.done') : t('connect.notDone')}
        </p>
      </div>
    </main>
  );
}
