import { CloudOff, Sparkles } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { useStore } from 'zustand';
import { appUpdateStore } from '../state/appUpdate.ts';
import { Banner } from '../ui/Banner.tsx';
import { Button } from '../ui/Button.tsx';

function subscribeToNetwork(changed: () => void): () => void {
  addEventListener('online', changed);
  addEventListener('offline', changed);
  return () => {
    removeEventListener('online', changed);
    removeEventListener('offline', changed);
  };
}

/** Whether the browser believes itself connected. */
export function useOnline(): boolean {
  return useSyncExternalStore(subscribeToNetwork, () => navigator.onLine);
}

/** The line across the top: no network, or a new version that waits to be taken up. */
export function ShellBanners() {
  const { t } = useTranslation();
  const online = useOnline();
  const applyUpdate = useStore(appUpdateStore, (state) => state.apply);
  return (
    <>
      {!online && (
        <Banner tone="warning" icon={<CloudOff />}>
          {t('shell.offline')}
        </Banner>
      )}
      {applyUpdate !== null && (
        <Banner
          tone="accent"
          icon={<Sparkles />}
          action={
            <Button size="small" kind="secondary" onClick={applyUpdate}>
              {t('shell.reload')}
            </Button>
          }
        >
          {t('shell.updateReady')}
        </Banner>
      )}
    </>
  );
}
