import { routes } from '@nolo/api';
import { useEffect, useState } from 'react';
import { call } from '../../api/httpClient.ts';
import { useLocale } from '../../i18n/locale.ts';
import { explainFailure } from '../../i18n/explainFailure.ts';
import { signOut } from '../../session/endSession.ts';
import { sessionStore } from '../../session/session.ts';
import { ScrollPage } from '../../shell/ScrollPage.tsx';
import { Button } from '../../ui/Button.tsx';
import { Logo } from '../../ui/Logo.tsx';
import { showFailure } from '../../ui/failures.ts';
import { toast } from '../../ui/toasts.ts';
import { useTexts } from '../../i18n/texts.ts';
import { closingTexts } from './closingTexts.ts';

/** Page of a closed account after signing in: when it will be deleted, and a way to keep it. */
export function KeepAccount({ deletesAt }: { deletesAt: string }) {
  const { t, i18n } = useTexts(closingTexts);
  const locale = useLocale();
  const [busy, setBusy] = useState(false);
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short' }).format(Date.parse(deletesAt));
  useEffect(() => {
    document.title = `${t('closing:title')} · ${t('common.productName')}`;
  }, [t]);

  const keep = async () => {
    setBusy(true);
    try {
      const self = await call(routes.keepAccount);
      sessionStore.getState().signedIn(self);
      toast({ kind: 'success', title: t('closing:kept') });
    } catch (error) {
      showFailure({ title: t('closing:keepFailed'), description: explainFailure(i18n, error) });
      setBusy(false);
    }
  };

  return (
    <ScrollPage>
      <main className="flex min-h-full flex-col px-5 pt-[calc(env(safe-area-inset-top)+0.75rem)] pb-8">
        <header className="mx-auto flex w-full max-w-300 items-center">
          <Logo />
        </header>
        <div className="m-auto flex w-full max-w-90 flex-col py-8">
          <h1 className="text-24 font-semibold tracking-tight text-balance">{t('closing:title')}</h1>
          <p className="mt-1.5 text-14">{t('closing:lead', { date })}</p>
          <p className="mt-3 text-14 text-muted">{t('closing:text')}</p>
          <Button size="large" wide className="mt-7" busy={busy} autoFocus onClick={() => void keep()}>
            {t('closing:keep')}
          </Button>
          <Button kind="quiet" size="large" wide className="mt-2" onClick={() => void signOut()}>
            {t('closing:leave')}
          </Button>
        </div>
      </main>
    </ScrollPage>
  );
}
