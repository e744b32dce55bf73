import type { Conversation, Message } from '@nolo/api';
import { createRetry } from '../../api/retry.ts';
import type { ChatCore } from './chatCore.ts';
import type { Cursors } from './cursors.ts';
import {
  activityOf,
  lacksMembers,
  withConversation,
  withMember,
  withMeta,
  withoutConversation,
  withReceivedMessage,
  withSenders,
  withTimeline,
} from './chatStore.ts';
import { fromDevice } from './fromDevice.ts';
import { isListed, withSettings } from './hiding.ts';
import { keptLimits, restoredTimeline } from './keptChats.ts';
import { withNewestPage, withOlderPage } from './timeline.ts';

const pageSize = 50;
/** For what is kept and not looked at, and for much that is unread, fewer and larger pages. */
const keptPageSize = 100;
/** A device that missed more than this many pages of changes starts again from the newest messages. */
const maxCatchUpPages = 4;

export type ChatSync = ReturnType<typeof createChatSync>;

/** Loads conversations and messages, and asks after every break for what was missed. */
export function createChatSync(
  { api, device, failureOf, names, patch, row, store, timers, watchers }: ChatCore,
  cursors: Cursors,
) {
  const opening = new Map<string, Promise<void>>();
  const catchingUp = new Map<string, Promise<void>>();
  let listed = false;
  let nextCursor: string | null = null;
  let loadingMore = false;

  const retry = createRetry({ timers, failureOf, ask: () => void resync() });
  const timelineOf = (id: string) => store.getState().timelines[id];

  /** One is in a conversation no longer: nothing of it stays, here or on the device. */
  const forget = (id: string): void => {
    if (!row(id) && !timelineOf(id)) return;
    patch((state) => withoutConversation(state, id));
    // What could not be erased now goes when the conversation is found missing again.
    device?.removeChat(id).catch(() => {});
  };

  const isGone = (error: unknown): boolean => failureOf(error).code === 'conversation_not_found';

  /** Who wrote messages, and whom they tell of, is known by name from here on. */
  const learn = (messages: readonly Message[]): void => {
    patch((state) => withSenders(state, messages));
    names.wantFor(messages);
    for (const watcher of watchers) watcher.onMessages(messages);
  };

  /** Loads a conversation that turned up in a frame. Unknown again means that it is none of ours. */
  const loadRow = async (id: string): Promise<void> => {
    const loaded = await api.getConversation(id).catch((error: unknown) => retry.later(error));
    if (loaded) patch((state) => withConversation(state, loaded));
  };

  /** The ticks under what one wrote need to know how far everybody is. */
  const askForMembers = (id: string): void => {
    const known = row(id);
    if (known && lacksMembers(known)) void loadRow(id);
  };

  /** The last message is hidden, and which one comes before it is not known here. */
  const askForLast = (id: string): void => {
    const known = row(id);
    if (known?.lastMessage === null && known.lastSeq > known.clearedSeq) void loadRow(id);
  };

  const receive = (message: Message): void => {
    const { change, missing } = withReceivedMessage(store.getState(), message);
    store.setState(change);
    for (const watcher of watchers) watcher.onMessages([message]);
    if (missing) void catchUp(message.conversationId);
    if (message.hidden) askForLast(message.conversationId);
  };

  /** Asks for what changed after the timeline's last change, until it is complete. One at a time per conversation. */
  const catchUp = (id: string): Promise<void> => {
    const running = catchingUp.get(id);
    if (running) return running;
    let succeeded = true;
    const task = (async () => {
      for (let page = 0; page < maxCatchUpPages; page++) {
        const timeline = timelineOf(id);
        if (timeline?.status !== 'ready') return;
        const { changes, changeSeq, hasMore, settings } = await api.listChanges(id, timeline.changeSeq);
        learn(changes.flatMap((change) => (change.type === 'message' ? [change.message] : [])));
        for (const change of changes) {
          if (change.type === 'message') store.setState(withReceivedMessage(store.getState(), change.message).change);
          else if (change.type === 'member') patch((state) => withMember(state, id, change.member));
          else patch((state) => withMeta(state, id, change.changeSeq, change.conversation));
        }
        if (settings) patch((state) => withSettings(state, id, settings));
        askForLast(id);
        // How many a group has is said by its row alone.
        if (row(id)?.type === 'group' && changes.some((change) => change.type === 'member')) void loadRow(id);
        const covered = changes.every((change) => change.type !== 'message' || isShown(id, change.message));
        patch((state) =>
          withTimeline(state, id, (current) => ({ ...current, changeSeq: Math.max(current.changeSeq, changeSeq) })),
        );
        // The changes come in the order of changeSeq, so an edited old message may stand before the new ones that close
        // the hole; where the run still has a hole, the newest page replaces it.
        if (!covered) return loadNewest(id);
        if (!hasMore) return;
      }
      // So much was missed that the newest page is the shorter way.
      await loadNewest(id);
    })()
      .catch((error: unknown) => {
        succeeded = false;
        if (isGone(error)) forget(id);
        else retry.later(error);
      })
      .finally(() => {
        catchingUp.delete(id);
        // Frames that came while the answer was on its way may lie beyond it.
        if (succeeded && isBehind(id)) void catchUp(id);
      });
    catchingUp.set(id, task);
    return task;
  };

  /** Whether the row knows of changes that a loaded timeline does not have. */
  const isBehind = (id: string): boolean => {
    const timeline = timelineOf(id);
    return timeline?.status === 'ready' && (row(id)?.changeSeq ?? 0) > timeline.changeSeq;
  };

  const isShown = (id: string, message: Message): boolean => message.seq <= (timelineOf(id)?.messages.at(-1)?.seq ?? 0);

  /** Rows that came from the server by themselves, before their messages were asked for. */
  const brought = new Set<string>();

  /** Takes in a row that the server has just told. */
  const bring = (conversation: Conversation): void => {
    if (timelineOf(conversation.id) === undefined) brought.add(conversation.id);
    patch((state) => withConversation(state, conversation));
  };

  const loadNewest = async (id: string, limit?: number): Promise<void> => {
    try {
      // The row first: its changeSeq is older than the messages, so that what happens in between is applied twice rather than never.
      // One that was brought a moment ago, and kept up to date since, is not asked for again.
      const fresh = (brought.delete(id) ? row(id) : undefined) ?? (await api.getConversation(id));
      patch((state) => withConversation(state, fresh));
      patch((state) =>
        withTimeline(state, id, (timeline) => ({
          ...timeline,
          status: timeline.status === 'ready' ? 'ready' : 'loading',
        })),
      );
      // Reading begins at the first unread message, and what stands above it is not to come in under the reader's eyes.
      const needed = fresh.unreadCount > pageSize / 2 ? keptPageSize : pageSize;
      const page = await api.listMessages(id, { limit: limit ?? needed });
      learn(page.items);
      if (timelineOf(id)?.status === 'ready') for (const watcher of watchers) watcher.onSkipped(id);
      patch((state) =>
        withTimeline(state, id, (timeline) => ({
          ...withNewestPage(timeline, page.items, page.nextCursor !== null),
          changeSeq: fresh.changeSeq,
          unreadAfter: timeline.unreadAfter || fresh.readSeq,
        })),
      );
      if ((row(id)?.changeSeq ?? 0) > fresh.changeSeq) void catchUp(id);
      cursors.arrived(id);
      askForMembers(id);
    } catch (error) {
      if (isGone(error)) {
        forget(id);
        throw error;
      }
      patch((state) =>
        withTimeline(state, id, (timeline) =>
          timeline.status === 'ready' ? timeline : { ...timeline, status: 'error' },
        ),
      );
      throw error;
    }
  };

  /** Puts what the device kept of a conversation in place; false where it kept nothing. */
  const restore = async (id: string): Promise<boolean> => {
    const kept = await fromDevice(timers, device?.readTimeline(id));
    if (!kept || !row(id)) return false;
    const clearedSeq = row(id)?.clearedSeq ?? 0;
    patch((state) => withTimeline(state, id, (timeline) => restoredTimeline(timeline, kept, clearedSeq)));
    return true;
  };

  /** Makes a conversation's newest messages known, from the device where it has them. Rejects with the request's error. */
  const openTimeline = (id: string, limit?: number): Promise<void> => {
    if (timelineOf(id)?.status === 'ready') {
      askForMembers(id);
      return Promise.resolve();
    }
    const running = opening.get(id);
    if (running) return running;
    const task = (async () => {
      if (!(await restore(id))) return loadNewest(id, limit);
      cursors.arrived(id);
      // What was kept may be old; nobody waits for what has happened since.
      void catchUp(id);
      askForMembers(id);
    })().finally(() => opening.delete(id));
    opening.set(id, task);
    return task;
  };

  const loadOlder = async (id: string, limit = pageSize): Promise<void> => {
    const timeline = timelineOf(id);
    const first = timeline?.messages[0];
    if (!timeline?.hasOlder || timeline.loadingOlder || !first) return;
    patch((state) => withTimeline(state, id, (current) => ({ ...current, loadingOlder: true })));
    try {
      const page = await api.listMessages(id, { before: first.seq, limit });
      learn(page.items);
      patch((state) =>
        withTimeline(state, id, (current) => withOlderPage(current, page.items, page.nextCursor !== null)),
      );
    } catch (error) {
      patch((state) => withTimeline(state, id, (current) => ({ ...current, loadingOlder: false })));
      throw error;
    }
  };

  /** Loads as much of a conversation as the device is to keep, and brings it up to date. */
  const loadKept = async (id: string): Promise<void> => {
    await openTimeline(id, keptPageSize);
    if (isBehind(id)) await catchUp(id);
    for (let pages = 0; pages < keptLimits.messages / pageSize; pages++) {
      const timeline = timelineOf(id);
      if (!timeline?.hasOlder || timeline.loadingOlder || timeline.messages.length >= keptLimits.messages) return;
      await loadOlder(id, keptPageSize);
    }
  };

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
      if (missing && (complete || (from !== '' && activityOf(one) > from))) void loadRow(one.id);
    }
  };

  /** The list is complete without these, so one left them, or was removed, while nobody listened here. */
  const forgetLeftGroups = (known: readonly Conversation[], listed: ReadonlySet<string>): void => {
    for (const { id, type } of known) if (type === 'group' && !listed.has(id)) forget(id);
  };

  /** Loads the first page of the list and brings open timelines up to date: at start and after every break. */
  const resync = async (): Promise<void> => {
    // A group that turns up while the answer is on its way is not missing from it.
    const known = Object.values(store.getState().conversations);
    try {
      const page = await api.listConversations();
      page.items.forEach(bring);
      if (!listed) nextCursor = page.nextCursor;
      listed = true;
      // What was told live before a break is older than what the rows say now.
      store.setState({ list: 'ready', presence: {} });
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
    bring,
    loadRow,
    forget,
    learn,
    receive,
    /** What the device keeps of a conversation goes, where nothing that is newer here would replace it. */
    dropKept(id: string): void {
      if (!timelineOf(id)) device?.removeChat(id).catch(() => {});
    },
    openTimeline,
    loadOlder,
    loadKept,
    resync,
    isBehind,
    /** Whether a loaded timeline has everything before this change, and not the change itself. */
    isNext(id: string, changeSeq: number): boolean {
      const timeline = timelineOf(id);
      return timeline?.status === 'ready' && changeSeq === timeline.changeSeq + 1;
    },
    /** Takes note of a change, or of so many at once; where they are not the next of a loaded timeline, something was missed. */
    inOrder(id: string, changeSeq: number, changes = 1): void {
      const timeline = timelineOf(id);
      if (timeline?.status !== 'ready' || changeSeq <= timeline.changeSeq) return;
      if (changeSeq > timeline.changeSeq + changes) void catchUp(id);
      else patch((state) => withTimeline(state, id, (current) => ({ ...current, changeSeq })));
    },
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
    stop: () => retry.stop(),
  };
}
