import type { Contact } from '@nolo/api';
import { hashKey, useQueryClient } from '@tanstack/react-query';
import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Page } from '../api/httpClient.ts';
import { contactsQuery } from '../api/queries.ts';
import type { AccountDatabase } from '../chat/storage/accountDatabase.ts';
import { eraseAccounts } from '../device/eraseAccounts.ts';
import { keepPictures } from '../device/pictureCache.ts';
import type { ChatEngine } from '../chat/engine/chatEngine.ts';
import { configStore } from '../session/config.ts';
import { sessionStore } from '../session/session.ts';
import { phoneMarker, setPhoneMarker, clearPhoneMarker } from '../session/sessionMarker.ts';
import { forgetOpened } from '../chat/storage/openFromDevice.ts';

/** Contacts are looked at often enough to be asked for ahead, but not before what is on the screen. */
const contactsAfterMs = 3_000;

type Contacts = InfiniteData<Page<Contact[]>, string>;

/** A full or refused storage costs the next visit without a network, and nothing now. */
function quietly(task: Promise<unknown>): void {
  task.catch(() => {});
}

const isHere = (userId: string): boolean => sessionStore.getState().user?.id === userId;

/** Nothing of anyone else stays on the device; and this person's pictures may be kept on it. */
async function claimDevice(userId: string): Promise<void> {
  const { phoneNumber } = sessionStore.getState().user ?? { phoneNumber: null };
  const marker = phoneMarker(localStorage);
  if (marker !== null && marker !== phoneNumber) {
    if (phoneNumber === null) clearPhoneMarker(localStorage);
    else setPhoneMarker(localStorage, phoneNumber);
  }
  await eraseAccounts(userId);
  if (isHere(userId)) await keepPictures(userId);
}

/** Keeps who is signed in, and what this installation can do. */
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

/** Who was online when this was kept may not be now. */
function withoutPresence({ pages, pageParams }: Contacts): Contacts {
  const offline = (contact: Contact): Contact => ({ ...contact, presenceStatus: 'offline' });
  return { pageParams, pages: pages.map((page) => ({ ...page, items: page.items.map(offline) })) };
}

/** Shows the contacts that were kept until the server has said what they are, and keeps what it says. */
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

/** Keeps on the device what opens the app without a network, besides the conversations, which the engine keeps. */
export function useKeepAccount(database: AccountDatabase, engine: ChatEngine): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    forgetOpened(database);
    quietly(claimDevice(database.userId));
    const stop = [keepSelf(database), keepContacts(database, queryClient)];
    let asking: ReturnType<typeof setTimeout> | undefined;
    stop.push(
      engine.store.subscribe(({ connection }) => {
        if (connection !== 'open' || asking !== undefined) return;
        asking = setTimeout(() => void queryClient.prefetchInfiniteQuery(contactsQuery('')), contactsAfterMs);
      }),
    );
    const leave = ({ persisted }: PageTransitionEvent) => (persisted ? database.rest() : engine.keepNow());
    const comeBack = () => database.wake();
    addEventListener('pagehide', leave);
    addEventListener('pageshow', comeBack);
    return () => {
      clearTimeout(asking);
      removeEventListener('pagehide', leave);
      removeEventListener('pageshow', comeBack);
      stop.forEach((one) => one());
      database.close();
    };
  }, [database, engine, queryClient]);
}
