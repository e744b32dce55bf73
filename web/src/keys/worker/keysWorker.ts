import { createTimers } from '@nolo/client/clock/timers';
import { createRouteCaller } from '@nolo/client/http/httpClient';
import { createRequester } from '@nolo/client/http/request';
import { openKeys, type KeysWithConversations } from '@nolo/client/keys/openKeys';
import { keysDatabaseName } from '../../device/accountNames.ts';
import type { TabToWorker } from '../model/keysProtocol.ts';
import { connectStorage } from '../storage/storagePort.ts';
import { createKeysWorkerHandler } from './keysWorkerHandler.ts';

/** Milliseconds by which the server's clock is ahead of the device's, as reported by the tab. */
let aheadMs = 0;
const moved = new Set<() => void>();

const timers = createTimers({
  // Clock: the device's, corrected by the tab.
  now: () => Date.now() + aheadMs,
  certain: Promise.resolve(),
  subscribe(task) {
    moved.add(task);
    return () => moved.delete(task);
  },
});

const { call } = createRouteCaller(createRequester({}).request);

function open(userId: string, port: MessagePort): KeysWithConversations {
  const name = keysDatabaseName(userId);
  const channel = new BroadcastChannel(name);
  const keys = openKeys({
    userId,
    kind: 0,
    storage: connectStorage(port),
    runAlone: (task) => navigator.locks.request(name, task),
    call,
    timers,
    // Clock: the device's own, by which secrets under a timer go.
    deviceNow: () => Date.now(),
    newId: () => crypto.randomUUID(),
    keyForm: 'engine',
    announce: () => channel.postMessage('changed'),
  });
  channel.addEventListener('message', () => keys.onFrame({ type: 'keys_changed', data: {} }));
  return keys;
}

const handle = createKeysWorkerHandler({
  open,
  // Insecure pages have neither, and neither has a browser of before 2022.
  lacks: () => ('locks' in navigator && globalThis.crypto.subtle !== undefined ? null : 'engine'),
  post: (message) => postMessage(message),
  setClock(ahead) {
    aheadMs = ahead;
    for (const task of moved) task();
  },
});

addEventListener('message', ({ data }: MessageEvent<TabToWorker>) => handle(data));
