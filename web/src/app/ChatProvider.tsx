import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import type { ServerFrame } from '@nolo/api';
import type { i18n } from 'i18next';
import { useEffect, useState, type ReactNode } from 'react';
import { useStore } from 'zustand';
import { listen } from '../device/listen.ts';
import { serverNow } from '../api/serverClock.ts';
import { chatApi, toSendFailure } from '../chat/storage/chatApi.ts';
import { onUnauthorized } from '../api/httpClient.ts';
import { queryKeys } from '../api/queries.ts';
import { openSocket } from '../api/socket.ts';
import { browserTimers } from '../api/timers.ts';
import { connectAccountTabs } from '../chat/storage/accountTabs.ts';
import { countJoinRequestsForAdmin } from '@nolo/client/chat/chatStore';
import { countUnread, hasAnyUnreadMention } from '@nolo/client/chat/countUnread';
import { createChatEngine, type ChatEngine } from '@nolo/client/chat/chatEngine';
import { handleConfigFrame, loadConfig } from '../session/config.ts';
import { createDraftStore } from '@nolo/client/chat/drafts';
import { sessionStore } from '../session/session.ts';
import { toast } from '../ui/toasts.ts';
import { unreadStore } from '../session/unread.ts';
import { ChatContext, type ChatContextValue } from '../chat/context/chatContext.ts';
import { leaveEndedSession } from '../session/endSession.ts';
import { createServerChangeRefetcher } from './serverChanges.ts';
import type { AccountDatabase } from '../chat/storage/accountDatabase.ts';
import { deviceContentOf } from '../chat/storage/deviceContent.ts';
import { conversationIdOfPath, openAccountWithStoredData } from '../chat/storage/storedAccount.ts';
import { refreshSelf } from '../session/self.ts';
import { conversations, passFrameToKeys, useKeys } from './useKeys.ts';
import { useStoreAccountOnDevice } from './useStoreAccountOnDevice.ts';
import { announcementsStore } from '../session/announcements.ts';
import { searchIntentStore } from '../chat/context/searchIntentStore.ts';
import { useTexts, withTexts } from '../i18n/texts.ts';

/** Delay that gives priority to the first screen and the prefetched lists. */
const afterMs = 5_000;

/** Keeps the signed-in user's messages ready for searching. */
function useMessageSearchIndexing(engine: ChatEngine, database: AccountDatabase): void {
  useEffect(() => {
    let end: (() => void) | undefined;
    let begun = false;
    let ended = false;
    const load = async (): Promise<void> => {
      const { startSearch } = await import('../search/search.ts');
      if (!ended) end = startSearch(engine, database);
    };
    const begin = (): void => {
      if (begun) return;
      begun = true;
      // Offline and never loaded before: messages cannot be searched this time.
      load().catch(() => (begun = false));
    };
    const timer = setTimeout(begin, afterMs);
    const unsubscribe = searchIntentStore.subscribe(begin);
    return () => {
      ended = true;
      clearTimeout(timer);
      unsubscribe();
      end?.();
    };
  }, [engine, database]);
}

/** Delay that lets the user read the toast before the screen changes (specification section 9). */
const leaveDelayMs = 500;

/** Checks the session: a 401 notifies `onUnauthorized`; other errors say nothing about it. */
function refreshSignedInUser(): void {
  refreshSelf().catch(() => {});
}

/** Invalidates who is signed in and how, which may have changed with a notice. */
function invalidateSecurityQueries(queryClient: QueryClient): void {
  const { identities, secondFactor, securityNotices, sessions } = queryKeys;
  for (const queryKey of [securityNotices, identities, secondFactor, sessions]) {
    void queryClient.invalidateQueries({ queryKey });
  }
}

function createChat(selfId: string, queryClient: QueryClient, i18n: i18n): ChatContextValue {
  const applyNews = createServerChangeRefetcher(queryClient);
  const onOtherFrame = (frame: ServerFrame): void => {
    applyNews(frame);
    announcementsStore.getState().handleFrame(frame);
    handleConfigFrame(frame);
    passFrameToKeys(frame);
    if (frame.type === 'session_ended') {
      if (frame.data.suspended) sessionStore.getState().suspend();
      else sessionStore.getState().revoke();
    }
    if (frame.type === 'self_changed' || frame.type === 'session_ended') refreshSignedInUser();
    if (frame.type === 'notices_changed') invalidateSecurityQueries(queryClient);
    if (frame.type === 'preferences_changed') {
      const { preferences } = frame.data;
      import('../session/preferences.ts')
        .then(({ getAccountPreferenceStore }) => getAccountPreferenceStore().receive(preferences))
        .catch(() => {});
    }
    if (frame.type === 'export_changed') {
      const { state } = frame.data;
      void queryClient.invalidateQueries({ queryKey: queryKeys.accountExport });
      withTexts(import('../account/profile/notifyExportOutcome.ts'))
        .then(({ notifyExportOutcome }) => notifyExportOutcome(state, i18n))
        .catch(() => {});
    }
    if (frame.type.startsWith('social_')) void queryClient.invalidateQueries({ queryKey: queryKeys.social });
    if (frame.type === 'social_post_changed') {
      const { data } = frame;
      withTexts(import('../social/room.ts'))
        .then(({ notifyPostOutcome }) => notifyPostOutcome(data, { i18n }))
        .catch(() => {});
    }
    if (frame.type !== 'contacts_changed') return;
    void queryClient.invalidateQueries();
    engine.refresh();
  };
  const { database, kept } = openAccountWithStoredData(selfId);
  const deviceContent = deviceContentOf(database);
  const engine = createChatEngine({
    selfId,
    device: database,
    deviceContent,
    tabs: connectAccountTabs(selfId),
    ...(kept && { kept }),
    loadUploads: async (events, device) => (await import('./createUploadQueue.ts')).createUploadQueue(device, events),
    api: chatApi,
    openSocket,
    timers: browserTimers,
    newId: () => crypto.randomUUID(),
    failureOf: toSendFailure,
    onOtherFrame,
    onRefused: refreshSignedInUser,
    conversations,
  });
  const isHere = () => sessionStore.getState().user?.id === selfId;
  const drafts = createDraftStore(selfId, localStorage, isHere, deviceContent);
  return { engine, drafts, places: new Map(), database };
}

/** Reconnects at once if there is a hint that the connection may work now, or is dead. */
function useConnectionHints(engine: ChatEngine): void {
  useEffect(() => {
    const retry = () => {
      if (document.visibilityState === 'visible') engine.retryConnection();
    };
    const stops = [listen(window, ['online'], retry), listen(document, ['visibilitychange'], retry)];
    return () => stops.forEach((stop) => stop());
  }, [engine]);
}

/** Confirms a user restored from the device as soon as the server is reachable. */
function useConfirmation(engine: ChatEngine): void {
  useEffect(
    () =>
      engine.store.subscribe(({ connection }, before) => {
        if (connection !== 'open' || before.connection === 'open' || sessionStore.getState().confirmed) return;
        refreshSignedInUser();
        void loadConfig();
      }),
    [engine],
  );
}

/**
 * Maximum random delay before fetching what arrived while the socket was disconnected, so that clients of a restarted
 * gateway do not all query at once.
 */
const reunionMs = 10_000;

function useReunion(engine: ChatEngine): void {
  useEffect(() => {
    let refreshTimer: ReturnType<typeof setTimeout> | undefined;
    let opened = engine.store.getState().connection === 'open';
    const stop = engine.store.subscribe(({ connection }, before) => {
      if (connection !== 'open' || before.connection === 'open') return;
      clearTimeout(refreshTimer);
      if (opened) refreshTimer = setTimeout(refreshSignedInUser, Math.random() * reunionMs);
      opened = true;
    });
    return () => {
      clearTimeout(refreshTimer);
      stop();
    };
  }, [engine]);
}

/** Reports once that the session has ended, and leads back to signing in. */
function useEndOfSession(engine: ChatEngine): void {
  const { t } = useTexts();
  useEffect(() => {
    let ended = false;
    let leaving: ReturnType<typeof setTimeout> | undefined;
    const leave = (): void => {
      if (ended) return;
      ended = true;
      engine.stop();
      const why = sessionStore.getState().suspended ? 'suspended' : 'unauthorized';
      toast({ kind: 'error', title: t(`errors.${why}.title`), description: t(`errors.${why}.text`), last: true });
      leaving = setTimeout(() => void leaveEndedSession(), leaveDelayMs);
    };
    const leaveIfEnded = (): void => {
      if (sessionStore.getState().ended) leave();
    };
    leaveIfEnded();
    const stop = [onUnauthorized(leave), sessionStore.subscribe(leaveIfEnded)];
    return () => {
      // A sign-out in another tab has already led this one to where it should be.
      clearTimeout(leaving);
      stop.forEach((one) => one());
    };
  }, [engine, t]);
}

function useUnreadCount(engine: ChatEngine): void {
  useEffect(() => {
    const count = () => {
      const rows = Object.values(engine.store.getState().conversations);
      const total = countUnread(rows, serverNow());
      const mentioned = hasAnyUnreadMention(rows, serverNow());
      const known = unreadStore.getState();
      if (mentioned !== known.mentioned) unreadStore.setState({ mentioned });
      const requests = rows.reduce(
        (sum, row) => sum + (row.archivedAt === null ? countJoinRequestsForAdmin(row) : 0),
        0,
      );
      if (requests !== known.requests) unreadStore.setState({ requests });
      if (total === known.count) return;
      unreadStore.setState({ count: total });
      // Installed apps have a badge; elsewhere the browser refuses, and nothing is lost.
      navigator.setAppBadge?.(total).catch(() => {});
    };
    count();
    return engine.store.subscribe(count);
  }, [engine]);
}

export function ChatProvider({ children }: { children: ReactNode }) {
  const selfId = useStore(sessionStore, (state) => state.user?.id);
  if (selfId === undefined) return null;
  // The key gives another account a new engine, with nothing left of the previous one.
  return (
    <RunningChat key={selfId} selfId={selfId}>
      {children}
    </RunningChat>
  );
}

function RunningChat({ selfId, children }: { selfId: string; children: ReactNode }) {
  const queryClient = useQueryClient();
  const { i18n } = useTexts();
  const [chat] = useState(() => createChat(selfId, queryClient, i18n));
  const { engine, database, drafts } = chat;
  useEffect(() => {
    engine.start();
    // Loads the messages of the conversation in the address in parallel with the code of its screen, which reports
    // errors.
    const id = conversationIdOfPath(location.pathname);
    if (id !== undefined) engine.internals.sync.openTimeline(id).catch(() => {});
    return () => engine.stop();
  }, [engine]);
  useEffect(() => listen(window, ['storage'], ({ key }: StorageEvent) => drafts.refresh(key)), [drafts]);
  useStoreAccountOnDevice(database, engine);
  useMessageSearchIndexing(engine, database);
  useKeys(engine);
  useConfirmation(engine);
  useReunion(engine);
  useConnectionHints(engine);
  useEndOfSession(engine);
  useUnreadCount(engine);
  return <ChatContext value={chat}>{children}</ChatContext>;
}
