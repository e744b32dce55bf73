import { createDeviceCodec } from '@nolo/client/content/deviceCodec';
import { createSearchWorkerHandler } from './searchWorkerHandler.ts';
import {
  isTabToWorker,
  searchChannelName,
  type StarterToWorker,
  type TabToWorker,
  type WorkerToTab,
} from './searchProtocol.ts';
import { openSearchIndexStore } from './searchIndexStore.ts';

/**
 * Milliseconds by which the server's clock is ahead of the device's, as reported by the tab that started this worker.
 */
let aheadMs = 0;

function searchFor({ userId, storeKey }: NonNullable<StarterToWorker['account']>): void {
  const channel = new BroadcastChannel(searchChannelName(userId));
  const take = createSearchWorkerHandler({
    // Erased or taken over by a newer version of the app: the worker stops.
    async open() {
      if (storeKey === null) throw new Error('The storage of the account fails.');
      return openSearchIndexStore(
        userId,
        () => globalThis.close(),
        createDeviceCodec(async () => storeKey),
      );
    },
    post: (message: WorkerToTab) => channel.postMessage(message),
    newId: () => crypto.randomUUID(),
    // Clock: the device's, corrected by the tab that starts the worker.
    now: () => Date.now() + aheadMs,
  });
  channel.addEventListener('message', ({ data }: MessageEvent<TabToWorker | WorkerToTab>) => {
    // Two workers receive each other's messages during a takeover.
    if (isTabToWorker(data)) take(data);
  });
}

/* The starting tab sends the account and the clock correction. Everything else uses the channel. */
addEventListener('message', ({ data }: MessageEvent<StarterToWorker>) => {
  aheadMs = data.aheadMs;
  if (data.account) searchFor(data.account);
});
