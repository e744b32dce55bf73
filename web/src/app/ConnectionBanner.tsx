import { CloudOff } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Banner } from '../ui/Banner.tsx';
import { Button } from '../ui/Button.tsx';
import { Spinner } from '../ui/Spinner.tsx';
import { useChat, useChatState } from '../chat/context/chatContext.ts';
import { useOnline } from '../shell/useOnline.ts';

/** A break that heals this fast is nobody's business. */
const quietMs = 2_000;

/** Says that the live connection is away: quietly while it comes back by itself, with Retry once that took long. */
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

  // Without a network another line above says so already, and trying again would be idle.
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
