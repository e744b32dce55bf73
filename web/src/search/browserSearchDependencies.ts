import type { StoreKey } from '@nolo/e2ee/storeKey';
import { serverClock } from '../api/serverClock.ts';
import type { AccountDatabase } from '../chat/storage/accountDatabase.ts';
import { startTrustedWorker } from '../device/startTrustedWorker.ts';
import { searchChannelName, type StarterToWorker } from './index/searchProtocol.ts';
// oxlint-disable-next-line import/default -- the address is made by Vite
import workerAddress from './index/searchWorker.ts?worker&url';
import type { SearchClientDependencies } from './searchClient.ts';

/** Runs one worker for all tabs of an account: the tab with the lock runs it, and the next one takes over. */
export function createBrowserSearchDependencies(
  userId: string,
  { storeKey }: Pick<AccountDatabase, 'storeKey'>,
): SearchClientDependencies {
  const name = searchChannelName(userId);
  return {
    openChannel: () => new BroadcastChannel(name),
    startWorker() {
      const worker = startTrustedWorker('search', workerAddress);
      const post = (message: StarterToWorker): void => worker.postMessage(message);
      const begin = (key: StoreKey | undefined | null) =>
        post({ account: { userId, storeKey: key }, aheadMs: serverClock.aheadMs() });
      storeKey().then(begin, () => begin(null));
      const stopFollowing = serverClock.subscribe(() => post({ aheadMs: serverClock.aheadMs() }));
      return () => {
        stopFollowing();
        worker.terminate();
      };
    },
    lead(onTurn, { signal, steal }) {
      const hold = () =>
        new Promise<void>((resolve) => {
          signal.addEventListener('abort', () => resolve());
          onTurn(true);
        });
      // A steal cannot be aborted, and need not be.
      navigator.locks.request(name, steal ? { steal } : { signal }, hold).catch(() => {
        // The lock was stolen by another tab, or this tab closed before its turn.
        onTurn(false);
      });
    },
    newId: () => crypto.randomUUID(),
  };
}
