import { useTexts } from '../i18n/texts.ts';

/** The specification's loading line. The document shows the same one before the app runs. */
export function LoadingScreen() {
  const { t } = useTexts();
  return (
    <div role="status" className="grid h-dvh place-items-center text-14 text-muted">
      {t('common.loading')}
    </div>
  );
}
