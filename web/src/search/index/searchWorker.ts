import { runSearch } from './runSearch.ts';
import { isFromTab, searchChannelName, type FromTab, type FromWorker } from './searchProtocol.ts';
import { openSearchStore } from './searchStore.ts';

/* Whose messages are searched is the name of the worker. */
const userId = (globalThis as { name?: string }).name ?? '';
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
