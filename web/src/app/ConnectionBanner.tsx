import { CloudOff } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Banner } from '../ui/Banner.tsx';
import { Button } from '../ui/Button.tsx';
import { Spinner } from '../ui/Spinner.tsx';
import { useChat, useChatState } from '../chat/context/chatContext.ts';
import { useOnline } from '../shell/useOnline.ts';

/** Interruptions shorter than this many milliseconds are not shown. */
const quietMs = 2_000;

/** Shows that the live connection is down: quietly while it reconnects by itself, with Retry once that takes long. */
export function ConnectionBanner() {
  const { t } = useTranslation();
  const { engine } = useChat();
  const connection = useChatState((state) => state.connection);
  const online = useOnline();
  const reconnecting = connection === 'connecting' || connection === 'reconnecting';
  const [longer, setLonger] = useState(false);
  useEffect(() => {
    if (!reconnecting) return undefined;
    const timer = setTimeout(() => setLonger(true), quietMs);
    return () => {
      clearTimeout(timer);
      setLonger(false);
    };
  }, [reconnecting]);

  // Offline, another banner above says so already, and a retry would be useless.
  if (!online) return null;
  if (connection === 'waiting') {
    return (
      <Banner
        tone="warning"
        icon={<CloudOff />}
        action={
          <Button size="small" kind="secondary" onClick={() => engine.retryConnection()}>
            {t('common.retry')}
          </Button>
        }
      >
        {t('chats.connectionLost')}
      </Banner>
    );
  }
  if (!reconnecting || !longer) return null;
  return (
    <Banner tone="neutral" icon={<Spinner />} className="min-h-8 text-muted">
      {t('chats.reconnecting')}
    </Banner>
  );
}
