import { runSearch } from './runSearch.ts';
import { isFromTab, searchChannelName, type FromStarter, type FromTab, type FromWorker } from './searchProtocol.ts';
import { openSearchStore } from './searchStore.ts';

/** How far the server's clock is ahead of the device's; the tab that started this worker says so. */
let aheadMs = 0;

function searchFor(userId: string): void {
  const channel = new BroadcastChannel(searchChannelName(userId));
  const take = runSearch({
    // Erased, or taken over by a newer app: there is nothing left to do here.
    open: () => openSearchStore(userId, () => globalThis.close()),
    tell: (message: FromWorker) => channel.postMessage(message),
    newId: () => crypto.randomUUID(),
    // Clock: the device's, corrected by the tab.
    now: () => Date.now() + aheadMs,
  });
  channel.addEventListener('message', ({ data }: MessageEvent<FromTab | FromWorker>) => {
    // Where one worker takes over from another they hear each other, too.
    if (isFromTab(data)) take(data);
  });
}

/* The tab that starts this worker says whose messages are searched, and corrects the clock; the rest comes over the channel. */
addEventListener('message', ({ data }: MessageEvent<FromStarter>) => {
  aheadMs = data.aheadMs;
  if (data.userId !== undefined) searchFor(data.userId);
});
