import { MonitorOff } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { enMeeting } from './enMeeting.ts';
import { addWords } from '../../i18n/i18n.ts';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';

/** Replaces a call or meeting in a browser without WebRTC, before anyone waits for a picture. */
export function UnsupportedBrowserScreen({ onHome }: { onHome: () => void }) {
  const { t, i18n } = useTranslation();
  addWords(i18n, 'meeting', enMeeting);
  return (
    <main className="grid h-dvh place-items-center bg-page" data-testid="cannot-meet">
      <EmptyState
        whole
        icon={<MonitorOff />}
        title={t('meeting.cannot.title')}
        description={t('meeting.cannot.text')}
        action={<Button onClick={onHome}>{t('common.goBackHome')}</Button>}
      />
    </main>
  );
}
