import { serverClock } from '../api/serverClock.ts';
import { listen } from '../device/listen.ts';
import { startTrustedWorker } from '../device/startTrustedWorker.ts';
import { createKeysClient } from './model/createKeysClient.ts';
import type { ConversationsClient, ConversationsFrame, KeysFrame } from './model/keysProtocol.ts';
import { keysStore, noKeys } from './model/keysStore.ts';
import { openKeyStorage } from './storage/openKeyStorage.ts';
import { serveStorage } from './storage/storagePort.ts';
// oxlint-disable-next-line import/default -- the address is made by Vite
import workerAddress from './worker/keysWorker.ts?worker&url';

/** Asks the browser to keep the keys when storage runs short. The answer changes nothing here. */
function requestPersistence(): void {
  const { storage } = navigator as { storage?: StorageManager };
  storage?.persist?.().catch(() => undefined);
}

/** Running keys of the signed-in account. */
export interface RunningKeys {
  readonly conversations: ConversationsClient;
  onFrame(frame: KeysFrame): void;
  onConversationsFrame(frame: ConversationsFrame): void;
  stop(): void;
}

/** Called when rows or the standing of a conversation may have changed; with null, of any. */
type OnConversation = (id: string | null) => void;

/** Runs the worker with the account's keys until it is stopped or the storage is erased. */
function runKeys(userId: string, onConversation: OnConversation): RunningKeys {
  let asked = false;
  const worker = startTrustedWorker('keys', workerAddress);
  const client = createKeysClient(worker, {
    onState(state) {
      const before = keysStore.getState().phase;
      keysStore.setState({ state, phase: state.phase });
      // A device that is ready now opens what it could not open before.
      if (state.phase.name === 'ready' && before.name !== 'ready') onConversation(null);
      if (asked || state.phase.name !== 'ready') return;
      asked = true;
      requestPersistence();
    },
    onUnavailable: (reason) => keysStore.setState({ state: null, phase: { name: 'unavailable', reason } }),
    onConversation,
  });
  const { port1, port2 } = new MessageChannel();
  // Erased or taken over by a newer version of the app: the worker stops.
  const opening = openKeyStorage(userId, client.stop);
  serveStorage(port1, opening);
  keysStore.setState({ keys: client.keys });
  client.start(userId, serverClock.aheadMs(), port2);
  const stopFollowing = serverClock.subscribe(() => client.setClock(serverClock.aheadMs()));
  return {
    conversations: client.conversations,
    onFrame: client.onFrame,
    onConversationsFrame: client.onConversationsFrame,
    stop() {
      stopFollowing();
      client.stop();
      port1.close();
      opening.then(({ close }) => close()).catch(() => undefined);
      keysStore.setState(noKeys);
    },
  };
}

/**
 * Starts the worker with the account's keys, and shows its state in `keysStore`. A page that enters the back-forward
 * cache stops it, because in WebKit a suspended worker keeps the lock that the account's other pages wait for.
 */
export function startKeys(userId: string, onConversation: OnConversation): RunningKeys {
  let run = runKeys(userId, onConversation);
  const leave = ({ persisted }: PageTransitionEvent) => persisted && run.stop();
  const comeBack = ({ persisted }: PageTransitionEvent) => persisted && (run = runKeys(userId, onConversation));
  const stops = [listen(window, ['pagehide'], leave), listen(window, ['pageshow'], comeBack)];
  return {
    get conversations() {
      return run.conversations;
    },
    onFrame: (frame) => run.onFrame(frame),
    onConversationsFrame: (frame) => run.onConversationsFrame(frame),
    stop() {
      for (const stop of stops) stop();
      run.stop();
    },
  };
}
