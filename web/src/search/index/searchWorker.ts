import { runSearch } from './runSearch.ts';
import { isFromTab, searchChannelName, type FromTab, type FromWorker } from './searchProtocol.ts';
import { openSearchStore } from './searchStore.ts';

function searchFor(userId: string): void {
  const channel = new BroadcastChannel(searchChannelName(userId));
  const take = runSearch({
    // Erased, or taken over by a newer app: there is nothing left to do here.
    open: () => openSearchStore(userId, () => globalThis.close()),
    tell: (message: FromWorker) => channel.postMessage(message),
    newId: () => crypto.randomUUID(),
  });
  channel.addEventListener('message', ({ data }: MessageEvent<FromTab | FromWorker>) => {
    // Where one worker takes over from another they hear each other, too.
    if (isFromTab(data)) take(data);
  });
}

/* Whose messages are searched is all that the tab says which starts it; the rest comes over the channel. */
addEventListener('message', ({ data }: MessageEvent<string>) => searchFor(data), { once: true });
