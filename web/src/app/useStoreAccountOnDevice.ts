import type { Contact } from '@nolo/api';
import { hashKey, useQueryClient, type InfiniteData, type QueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { listen } from '../device/listen.ts';
import type { ResultPage } from '../api/httpClient.ts';
import { contactsQuery } from '../api/queries.ts';
import type { AccountDatabase } from '../chat/storage/accountDatabase.ts';
import { forgetSessionEnd } from '../device/eraseEndedKeys.ts';
import { eraseStoredAccounts } from '../device/eraseStoredAccounts.ts';
import { enablePictureCache } from '../device/pictureCache.ts';
import type { ChatEngine } from '@nolo/client/chat/chatEngine';
import { configStore } from '../session/config.ts';
import { sessionStore } from '../session/session.ts';
import { readPhoneMarker, setPhoneMarker, clearPhoneMarker } from '../session/sessionMarker.ts';
import { releaseOpenedAccount } from '../chat/storage/storedAccount.ts';

/** Delay before contacts are prefetched: they are used often, but must not slow down the first screen. */
const contactsAfterMs = 3_000;

type Contacts = InfiniteData<ResultPage<Contact[]>, string>;

/** Ignores errors: a full or refused storage only affects the next offline start. */
function quietly(task: Promise<unknown>): void {
  task.catch(() => {});
}

const isHere = (userId: string): boolean => sessionStore.getState().user?.id === userId;

/** Deletes the data of other accounts from the device, and allows storing this user's pictures. */
async function claimDevice(userId: string): Promise<void> {
  forgetSessionEnd(localStorage);
  const { phoneNumber } = sessionStore.getState().user ?? { phoneNumber: null };
  const marker = readPhoneMarker(localStorage);
  if (marker !== null && marker !== phoneNumber) {
    if (phoneNumber === null) clearPhoneMarker(localStorage);
    else setPhoneMarker(localStorage, phoneNumber);
  }
  await eraseStoredAccounts(userId);
  if (isHere(userId)) await enablePictureCache(userId);
}

/** Stores the signed-in user, and the features of this installation. */
function keepSelf(database: AccountDatabase): () => void {
  const { userId } = database;
  const putSelf = (): void => {
    const { user, confirmed } = sessionStore.getState();
    if (user?.id === userId && confirmed) quietly(database.putSelf(user));
  };
  const putConfig = (): void => {
    const { config } = configStore.getState();
    if (config) quietly(database.putConfig(config));
  };
  putSelf();
  putConfig();
  const stop = [sessionStore.subscribe(putSelf), configStore.subscribe(putConfig)];
  return () => stop.forEach((one) => one());
}

/** Marks contacts as offline, because their stored presence may be outdated. */
function withoutPresence({ pages, pageParams }: Contacts): Contacts {
  const offline = (contact: Contact): Contact => ({ ...contact, presenceStatus: 'offline' });
  return { pageParams, pages: pages.map((page) => ({ ...page, items: page.items.map(offline) })) };
}

/** Shows the stored contacts until the server answers, and stores its answer. */
function keepContacts(database: AccountDatabase, queryClient: QueryClient): () => void {
  const { queryKey } = contactsQuery('');
  const hash = hashKey(queryKey);
  quietly(
    database.readContacts().then((kept) => {
      if (kept === undefined || queryClient.getQueryData(queryKey) !== undefined || !isHere(database.userId)) return;
      queryClient.setQueryData(queryKey, withoutPresence(kept as Contacts), { updatedAt: 1 });
    }),
  );
  return queryClient.getQueryCache().subscribe((event) => {
    if (event.query.queryHash !== hash || event.type !== 'updated' || event.action.type !== 'success') return;
    if (event.action.manual !== true) quietly(database.putContacts(event.query.state.data));
  });
}

/** Stores on the device what the app needs to start offline, except for the conversations, which the engine stores. */
export function useStoreAccountOnDevice(database: AccountDatabase, engine: ChatEngine): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    releaseOpenedAccount(database);
    quietly(claimDevice(database.userId));
    const stop = [keepSelf(database), keepContacts(database, queryClient)];
    let prefetchTimer: ReturnType<typeof setTimeout> | undefined;
    stop.push(
      engine.store.subscribe(({ connection }) => {
        if (connection !== 'open' || prefetchTimer !== undefined) return;
        prefetchTimer = setTimeout(() => void queryClient.prefetchInfiniteQuery(contactsQuery('')), contactsAfterMs);
      }),
    );
    const leave = ({ persisted }: PageTransitionEvent) => (persisted ? database.rest() : engine.keepNow());
    stop.push(
      listen(window, ['pagehide'], leave),
      listen(window, ['pageshow'], () => database.wake()),
    );
    return () => {
      clearTimeout(prefetchTimer);
      stop.forEach((one) => one());
      database.close();
    };
  }, [database, engine, queryClient]);
}
