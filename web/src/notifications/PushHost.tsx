import type { Conversation } from '@nolo/api';
import { Bell } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { useStore } from 'zustand';
import { serverNow } from '../api/serverClock.ts';
import { requestCallAnswer } from '../chat/calling/callRequests.ts';
import { useChat, type ChatContextValue } from '../chat/context/chatContext.ts';
import { pushPromptedKey } from '../device/removePushSubscription.ts';
import { featureStore } from '../session/features.ts';
import { sessionStore } from '../session/session.ts';
import { Banner } from '../ui/Banner.tsx';
import { Button } from '../ui/Button.tsx';
import { toast } from '../ui/toasts.ts';
import { isPushWanted, canAskForPush, computePushState, subscribeToPush, turnOnPush } from './model/subscribe.ts';
import { useTexts } from '../i18n/texts.ts';
import { pushTexts } from './pushTexts.ts';

const laterMs = 30 * 86_400_000;
const closeEveryMs = 500;

/** Maintains notifications on this device: the subscription, opening the right page, and closing them once read. */
export function PushHost() {
  const exists = useStore(featureStore, ({ features }) => features['push'] === true);
  return exists && <RunningHost />;
}

function RunningHost() {
  const chat = useChat();
  useKeptSubscription();
  useKeptTexts(chat);
  useOpenedPaths();
  useVisibility(chat);
  useClosedWhenRead(chat);
  return <PushPromptBanner chat={chat} />;
}

/** Renews an allowed subscription, even if the browser changes its endpoint or the server lost it. */
function useKeptSubscription(): void {
  const confirmed = useStore(sessionStore, (state) => state.confirmed);
  useEffect(() => {
    // The settings show a failure, and the next start retries.
    if (confirmed && isPushWanted()) subscribeToPush().catch(() => {});
  }, [confirmed]);
}

/** Stores the notification texts in the app's language for the service worker, which has no catalogue. */
function useKeptTexts({ database }: ChatContextValue): void {
  const { t, i18n } = useTexts(pushTexts);
  const { language } = i18n;
  useEffect(() => {
    const places = { name: '{{name}}', text: '{{text}}', emoji: '{{emoji}}' };
    const keys = Object.keys(pushTexts.english.texts) as (keyof typeof pushTexts.english.texts)[];
    const texts = Object.fromEntries(keys.map((key) => [key, t(`push:texts.${key}`, places)]));
    database.putPushTexts(texts).catch(() => {});
  }, [database, t, language]);
}

/** Opens a pressed notification in an existing page instead of a second one. */
function useOpenedPaths(): void {
  const navigate = useNavigate();
  useEffect(() => {
    const workers = (navigator as Partial<Navigator>).serviceWorker;
    const { pathname, search } = location;
    const answer = new URLSearchParams(search).get('answer');
    if (answer !== null) {
      requestCallAnswer(answer);
      void navigate(pathname, { replace: true });
    }
    const handleWorkerMessage = ({ data }: MessageEvent<unknown>) => {
      if (typeof data !== 'object' || data === null || !('type' in data) || data.type !== 'openPath') return;
      if ('path' in data && typeof data.path === 'string' && data.path.startsWith('/')) void navigate(data.path);
      if ('answer' in data && typeof data.answer === 'string') requestCallAnswer(data.answer);
    };
    workers?.addEventListener('message', handleWorkerMessage);
    return () => workers?.removeEventListener('message', handleWorkerMessage);
  }, [navigate]);
}

/** Reports whether the page is visible: the server does not push to a device on which the user sees the content. */
function useVisibility({ engine }: ChatContextValue): void {
  useEffect(() => {
    const sendVisibility = () => engine.socket.send('visibility', { visible: document.visibilityState === 'visible' });
    if (engine.socket.isOpen) sendVisibility();
    const stop = engine.socket.onChange((open) => {
      if (open) sendVisibility();
    });
    document.addEventListener('visibilitychange', sendVisibility);
    return () => {
      document.removeEventListener('visibilitychange', sendVisibility);
      stop();
    };
  }, [engine]);
}

const ofChat = /^chat (.+)$/;

/** Closes the notifications of conversations without unread messages, wherever they were read. */
async function closeReadNotifications(conversations: Readonly<Record<string, Conversation>>): Promise<void> {
  const registration = await navigator.serviceWorker.getRegistration();
  for (const notification of (await registration?.getNotifications()) ?? []) {
    const id = ofChat.exec(notification.tag)?.[1];
    if (id !== undefined && conversations[id]?.unreadCount === 0) notification.close();
  }
}

function useClosedWhenRead({ engine }: ChatContextValue): void {
  useEffect(() => {
    let waiting: ReturnType<typeof setTimeout> | undefined;
    const close = () => {
      waiting = undefined;
      if (computePushState() !== 'on') return;
      closeReadNotifications(engine.store.getState().conversations).catch(() => {});
    };
    const later = () => (waiting ??= setTimeout(close, closeEveryMs));
    later();
    const stop = engine.store.subscribe(({ conversations }, before) => {
      if (conversations !== before.conversations) later();
    });
    return () => {
      clearTimeout(waiting);
      stop();
    };
  }, [engine]);
}

/** Asks once the user has written a message, because a reply may follow. After a no, does not ask again for a month. */
function PushPromptBanner({ chat: { engine } }: { chat: ChatContextValue }) {
  const { t } = useTexts(pushTexts);
  const selfId = useStore(sessionStore, (state) => state.user?.id);
  const [asks, setAsks] = useState(false);
  useEffect(() => {
    if (!canAskForPush() || serverNow() - Number(localStorage.getItem(pushPromptedKey) ?? 0) < laterMs) return;
    const begun = new Date(serverNow()).toISOString();
    return engine.store.subscribe(({ conversations }, before) => {
      if (conversations === before.conversations) return;
      const hasWritten = Object.values(conversations).some(
        ({ lastMessage }) =>
          lastMessage !== null &&
          lastMessage.senderId === selfId &&
          lastMessage.messageType !== 'system' &&
          lastMessage.createdAt > begun,
      );
      if (hasWritten) setAsks(canAskForPush());
    });
  }, [engine, selfId]);
  if (!asks) return null;
  const answer = (yes: boolean) => {
    setAsks(false);
    localStorage.setItem(pushPromptedKey, String(serverNow()));
    if (yes) turnOnPush().catch(() => toast({ kind: 'error', title: t('push:failed'), description: t('push:away') }));
  };
  return (
    <Banner
      tone="accent"
      icon={<Bell />}
      action={
        <>
          <Button size="small" kind="quiet" onClick={() => answer(false)}>
            {t('push:notNow')}
          </Button>
          <Button size="small" onClick={() => answer(true)}>
            {t('push:turnOn')}
          </Button>
        </>
      }
    >
      {t('push:ask')}
    </Banner>
  );
}
