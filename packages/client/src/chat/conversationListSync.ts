import type { Conversation } from '@nolo/api';
import type { RefreshRetry } from './refreshRetry.ts';
import type { CatchUp } from './catchUp.ts';
import type { ChatCore } from './chatCore.ts';
import { lastActivityOf, withConversation } from './chatStore.ts';
import type { ConversationRowLoader } from './conversationRowLoader.ts';
import type { ReceiptSender } from './receiptSender.ts';
import { isListed } from './hiding.ts';
import { diffPresence } from './presence.ts';

/** Loads the conversation list and updates loaded data after every disconnect. */
export function createConversationListSync(
  { api, names, patch, store }: ChatCore,
  {
    cursors,
    retry,
    rows,
    catchUp,
    isBehind,
  }: CatchUp & { cursors: ReceiptSender; retry: RefreshRetry; rows: ConversationRowLoader },
) {
  let listed = false;
  let nextCursor: string | null = null;
  let loadingMore = false;

  /**
   * Reloads direct conversations that belong within a page but are missing from it. Another device removed them from
   * the list, as their reloaded rows show.
   */
  const refreshUnlisted = (known: readonly Conversation[], page: readonly Conversation[], complete: boolean): void => {
    const listed = new Set(page.map(({ id }) => id));
    const oldest = page.findLast(({ pinnedAt }) => pinnedAt === null);
    const from = complete || !oldest ? '' : lastActivityOf(oldest);
    for (const one of known) {
      const missing = one.type === 'direct' && isListed(one) && !listed.has(one.id);
      if (missing && (complete || (from !== '' && lastActivityOf(one) > from))) void rows.loadRow(one.id);
    }
  };

  /** Removes groups missing from the complete list: the user left or was removed while disconnected. */
  const forgetLeftGroups = (known: readonly Conversation[], listed: ReadonlySet<string>): void => {
    for (const { id, type } of known) if (type === 'group' && !listed.has(id)) rows.forget(id);
  };

  /** Loads the first page of the list and updates open timelines, at start and after every disconnect. */
  const resync = async (): Promise<void> => {
    // Read before the request, so that a group that appears during it does not count as missing.
    const { conversations, presence } = store.getState();
    const known = Object.values(conversations);
    try {
      const page = await api.listConversations();
      page.items.forEach(rows.bring);
      if (!listed) nextCursor = page.nextCursor;
      listed = true;
      // Live presence from before a disconnect is older than the rows.
      store.setState({
        list: 'ready',
        presence: diffPresence(presence, store.getState().presence),
        isPresenceKnown: true,
      });
      for (const fresh of page.items) cursors.arrived(fresh.id);
      const current = new Set(page.items.map((fresh) => fresh.id));
      if (page.nextCursor === null) forgetLeftGroups(known, current);
      refreshUnlisted(known, page.items, page.nextCursor === null);
      names.wantFor(page.items.flatMap((fresh) => fresh.lastMessage ?? []));
      const staleIds = Object.keys(store.getState().timelines).filter((id) => !current.has(id) || isBehind(id));
      await Promise.all(staleIds.map((id) => catchUp(id)));
      retry.succeeded();
    } catch (error) {
      retry.later(error);
      if (store.getState().list === 'loading') store.setState({ list: 'error' });
    }
  };

  return {
    resync,
    /** Loads the next page of the conversation list. */
    async loadMore(): Promise<void> {
      if (nextCursor === null || loadingMore) return;
      loadingMore = true;
      try {
        const page = await api.listConversations(nextCursor);
        for (const fresh of page.items) patch((state) => withConversation(state, fresh));
        nextCursor = page.nextCursor;
      } finally {
        loadingMore = false;
      }
    },
  };
}
