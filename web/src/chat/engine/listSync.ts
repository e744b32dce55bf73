import type { Conversation } from '@nolo/api';
import type { Retry } from '../../api/retry.ts';
import type { CatchUp } from './catchUp.ts';
import type { ChatCore } from './chatCore.ts';
import { activityOf, withConversation } from './chatStore.ts';
import type { ConversationRows } from './conversationRows.ts';
import type { Cursors } from './cursors.ts';
import { isListed } from './hiding.ts';
import { presenceSince } from './presence.ts';

/** Loads the list of conversations, and brings what is loaded up to date after every break. */
export function createListSync(
  { api, names, patch, store }: ChatCore,
  { cursors, retry, rows, catchUp, isBehind }: CatchUp & { cursors: Cursors; retry: Retry; rows: ConversationRows },
) {
  let listed = false;
  let nextCursor: string | null = null;
  let loadingMore = false;

  /**
   * Direct conversations that would stand between those of a page, and do not: they were taken out of the list on another
   * device, as their rows say when they are asked for.
   */
  const refreshUnlisted = (known: readonly Conversation[], page: readonly Conversation[], complete: boolean): void => {
    const listed = new Set(page.map(({ id }) => id));
    const oldest = page.findLast(({ pinnedAt }) => pinnedAt === null);
    const from = complete || !oldest ? '' : activityOf(oldest);
    for (const one of known) {
      const missing = one.type === 'direct' && isListed(one) && !listed.has(one.id);
      if (missing && (complete || (from !== '' && activityOf(one) > from))) void rows.loadRow(one.id);
    }
  };

  /** The list is complete without these, so one left them, or was removed, while nobody listened here. */
  const forgetLeftGroups = (known: readonly Conversation[], listed: ReadonlySet<string>): void => {
    for (const { id, type } of known) if (type === 'group' && !listed.has(id)) rows.forget(id);
  };

  /** Loads the first page of the list and brings open timelines up to date: at start and after every break. */
  const resync = async (): Promise<void> => {
    // A group that turns up while the answer is on its way is not missing from it.
    const { conversations, presence } = store.getState();
    const known = Object.values(conversations);
    try {
      const page = await api.listConversations();
      page.items.forEach(rows.bring);
      if (!listed) nextCursor = page.nextCursor;
      listed = true;
      // What was told live before a break is older than what the rows say now.
      store.setState({
        list: 'ready',
        presence: presenceSince(presence, store.getState().presence),
        presenceTold: true,
      });
      for (const fresh of page.items) cursors.arrived(fresh.id);
      const current = new Set(page.items.map((fresh) => fresh.id));
      if (page.nextCursor === null) forgetLeftGroups(known, current);
      refreshUnlisted(known, page.items, page.nextCursor === null);
      names.wantFor(page.items.flatMap((fresh) => fresh.lastMessage ?? []));
      const asked = Object.keys(store.getState().timelines).filter((id) => !current.has(id) || isBehind(id));
      await Promise.all(asked.map((id) => catchUp(id)));
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
