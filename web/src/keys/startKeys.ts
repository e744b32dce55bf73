import { serverClock } from '../api/serverClock.ts';
import { startTrustedWorker } from '../device/startTrustedWorker.ts';
import { createKeysClient } from './model/createKeysClient.ts';
import type { KeysFrame } from './model/keysProtocol.ts';
import { keysStore, noKeys } from './model/keysStore.ts';
// oxlint-disable-next-line import/default -- the address is made by Vite
import workerAddress from './worker/keysWorker.ts?worker&url';

/** Asks the browser to keep the keys when storage runs short. The answer changes nothing here. */
function requestPersistence(): void {
  const { storage } = navigator as { storage?: StorageManager };
  storage?.persist?.().catch(() => undefined);
}

/** Running keys of the signed-in account. */
export interface RunningKeys {
  onFrame(frame: KeysFrame): void;
  stop(): void;
}

/** Starts the worker with the account's keys, and shows its state in `keysStore`. */
export function startKeys(userId: string): RunningKeys {
  let asked = false;
  const worker = startTrustedWorker('keys', workerAddress);
  const client = createKeysClient(worker, {
    onState(state) {
      keysStore.setState({ state, phase: state.phase });
      if (asked || state.phase.name !== 'ready') return;
      asked = true;
      requestPersistence();
    },
    onUnavailable: (reason) => keysStore.setState({ state: null, phase: { name: 'unavailable', reason } }),
  });
  keysStore.setState({ keys: client.keys });
  client.start(userId, serverClock.aheadMs());
  const stopFollowing = serverClock.subscribe(() => client.setClock(serverClock.aheadMs()));
  return {
    onFrame: client.onFrame,
    stop() {
      stopFollowing();
      client.stop();
      keysStore.setState(noKeys);
    },
  };
}
