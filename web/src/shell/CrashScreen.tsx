import { LifeBuoy } from 'lucide-react';
import { Button } from '../ui/Button.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { useRevealApp } from './reveal.ts';
import { useTexts } from '../i18n/texts.ts';

export function CrashScreen() {
  const { t } = useTexts();
  useRevealApp();
  return (
    <main role="alert" className="grid h-full min-h-[60dvh] place-items-center bg-page">
      <EmptyState
        whole
        icon={<LifeBuoy />}
        title={t('crash.title')}
        description={t('crash.text')}
        action={<Button onClick={() => location.reload()}>{t('crash.reload')}</Button>}
      />
    </main>
  );
}
