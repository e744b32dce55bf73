import type { ChatState, TimelineWindow } from './state.ts';
import type { ChatCore } from './chatCore.ts';
import { withTimeline } from './chatStore.ts';
import type { ChatSync } from './chatSync.ts';
import { hasSeq, joinWindow, windowWithNewer, windowWithOlder, withoutWindow } from './window.ts';

const pageSize = 50;
const largePage = 100;
/** Maximum messages up to which loading everything in between is faster than a separate window. */
const nearMessages = 300;

/** Sets the window, or merges it with the timeline where they meet. */
function settled(state: ChatState, id: string, window: TimelineWindow): Partial<ChatState> {
  const timeline = state.timelines[id];
  const whole = timeline && joinWindow(timeline, window);
  if (whole) return { ...withoutWindow(state, id), ...withTimeline(state, id, () => whole) };
  return { windows: { ...state.windows, [id]: window } };
}

/** Jumps to any message in a conversation's past, and loads more from there in both directions. */
export function createMessageJumps({ api, patch, store }: ChatCore, sync: ChatSync) {
  const windowOf = (id: string): TimelineWindow | undefined => store.getState().windows[id];
  const messagesOf = (id: string) => store.getState().timelines[id]?.messages ?? [];
  const change = (id: string, update: (window: TimelineWindow) => TimelineWindow): void =>
    patch((state) => {
      const window = state.windows[id];
      return window ? settled(state, id, update(window)) : {};
    });

  const loadOlder = async (id: string, limit = pageSize): Promise<void> => {
    const window = windowOf(id);
    if (!window) return sync.loadOlder(id, limit);
    const first = window.messages[0];
    if (!window.hasOlder || window.loadingOlder || !first) return;
    change(id, (current) => ({ ...current, loadingOlder: true }));
    try {
      const page = await api.listMessages(id, { before: first.seq, limit });
      sync.learn(page.items);
      change(id, (current) => windowWithOlder(current, page.items, page.nextCursor !== null));
    } catch (error) {
      change(id, (current) => ({ ...current, loadingOlder: false }));
      throw error;
    }
  };

  const loadNewer = async (id: string): Promise<void> => {
    const window = windowOf(id);
    const last = window?.messages.at(-1);
    if (!window || window.loadingNewer || !last) return;
    change(id, (current) => ({ ...current, loadingNewer: true }));
    try {
      const page = await api.listMessages(id, { after: last.seq, limit: pageSize });
      sync.learn(page.items);
      change(id, (current) => windowWithNewer(current, page.items));
    } catch (error) {
      change(id, (current) => ({ ...current, loadingNewer: false }));
      throw error;
    }
  };

  const loadAround = async (id: string, seq: number): Promise<boolean> => {
    const page = await api.listMessages(id, { before: seq + pageSize / 2, limit: pageSize });
    if (!hasSeq(page.items, seq)) return false;
    sync.learn(page.items);
    patch((state) =>
      settled(state, id, {
        messages: page.items,
        hasOlder: page.nextCursor !== null,
        loadingOlder: false,
        loadingNewer: false,
      }),
    );
    return true;
  };

  return {
    loadOlder,
    loadNewer,
    /** Loads a large page of older messages into the timeline, independent of the user's position. */
    loadMoreToSearch: (id: string) => sync.loadOlder(id, largePage),
    /** Returns to the newest messages. */
    toNewest: (id: string) => patch((state) => withoutWindow(state, id)),
    /** Loads a message into the visible list. Returns false if it does not exist. Rejects with the request's error. */
    async reveal(id: string, seq: number): Promise<boolean> {
      await sync.openTimeline(id);
      if (hasSeq(windowOf(id)?.messages ?? [], seq)) return true;
      const inTimeline = () => hasSeq(messagesOf(id), seq);
      const near = seq >= (messagesOf(id)[0]?.seq ?? 0) - nearMessages;
      if (!inTimeline() && !near) return loadAround(id, seq);
      patch((state) => withoutWindow(state, id));
      for (let pages = 0; pages <= nearMessages / largePage && !inTimeline(); pages++) {
        const before = messagesOf(id)[0]?.seq;
        await sync.loadOlder(id, largePage);
        if (messagesOf(id)[0]?.seq === before) break;
      }
      return inTimeline() || loadAround(id, seq);
    },
  };
}
