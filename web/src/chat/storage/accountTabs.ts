import type { TabMessage, AccountTabs } from '@nolo/client/chat/ports';

/** Connects the tabs of one account: Web Locks choose the sending tab, and a channel carries their messages. */
export function connectAccountTabs(userId: string): AccountTabs {
  const name = `nolo-unsent-${userId}`;
  const channel = new BroadcastChannel(name);
  const left = new AbortController();
  return {
    lead(begin) {
      // Insecure contexts have no locks. Two tabs then send the same message, which is harmless.
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
          // The tab closed before it got the lock.
        });
    },
    broadcast: (news) => {
      if (!left.signal.aborted) channel.postMessage(news);
    },
    listen: (onNews) => {
      channel.onmessage = (event: MessageEvent<TabMessage>) => onNews(event.data);
    },
    close() {
      left.abort();
      channel.close();
    },
  };
}
