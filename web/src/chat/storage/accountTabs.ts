import type { TabNews, Tabs } from '../engine/ports.ts';

/** The tabs of one account: Web Locks say which of them sends, a channel carries what they tell each other. */
export function openAccountTabs(userId: string): Tabs {
  const name = `nolo-unsent-${userId}`;
  const channel = new BroadcastChannel(name);
  const left = new AbortController();
  return {
    lead(begin) {
      // Outside of secure contexts there are no locks; two tabs then send the same message, which is harmless.
      if (!('locks' in navigator)) return begin();
      navigator.locks
        .request(
          name,
          { signal: left.signal },
          () =>
            new Promise<void>((resolve) => {
              left.signal.addEventListener('abort', () => resolve());
              begin();
            }),
        )
        .catch(() => {
          // The tab was closed before its turn came.
        });
    },
    tell: (news) => {
      if (!left.signal.aborted) channel.postMessage(news);
    },
    listen: (onNews) => {
      channel.onmessage = (event: MessageEvent<TabNews>) => onNews(event.data);
    },
    close() {
      left.abort();
      channel.close();
    },
  };
}
