import { CloudOff, Info } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useStore } from 'zustand';
import { appUpdateStore } from '../shell/appUpdate.ts';
import { Banner } from '../ui/Banner.tsx';
import { Button } from '../ui/Button.tsx';
import { useOnline } from '../shell/useOnline.ts';

/** Banner at the top: no network, or a new version to be installed. */
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
          icon={<Info />}
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
