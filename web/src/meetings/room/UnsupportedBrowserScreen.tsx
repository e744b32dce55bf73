import { MonitorOff } from 'lucide-react';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { meetingTexts } from './meetingTexts.ts';

/** Replaces a call or meeting in a browser without WebRTC, before anyone waits for a picture. */
export function UnsupportedBrowserScreen({ onHome }: { onHome: () => void }) {
  const { t } = useTexts(meetingTexts);
  return (
    <main className="grid h-dvh place-items-center bg-page" data-testid="cannot-meet">
      <EmptyState
        whole
        icon={<MonitorOff />}
        title={t('meeting:cannot.title')}
        description={t('meeting:cannot.text')}
        action={<Button onClick={onHome}>{t('common.goBackHome')}</Button>}
      />
    </main>
  );
}
