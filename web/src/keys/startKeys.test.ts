/** @jest-environment jsdom */
import 'fake-indexeddb/auto';
import { MessageChannel } from 'node:worker_threads';
import { keysStore } from './model/keysStore.ts';
import { startKeys } from './startKeys.ts';

/** Worker that only notes what its page does with it. */
class NotedWorker {
  static readonly all: NotedWorker[] = [];
  isRunning = true;
  constructor() {
    NotedWorker.all.push(this);
  }
  postMessage(): void {}
  terminate(): void {
    this.isRunning = false;
  }
}

const turn = (name: 'pagehide' | 'pageshow', persisted: boolean) =>
  dispatchEvent(new PageTransitionEvent(name, { persisted }));
const running = () => NotedWorker.all.map(({ isRunning }) => isRunning);

test('a page in the back-forward cache runs no keys, and starts them again when it comes back', () => {
  Object.assign(globalThis, { Worker: NotedWorker, MessageChannel });
  const keys = startKeys('u1', () => undefined);
  turn('pageshow', false);
  turn('pagehide', false);
  expect(running()).toEqual([true]);
  turn('pagehide', true);
  expect(running()).toEqual([false]);
  expect(keysStore.getState().keys).toBeNull();
  turn('pageshow', true);
  expect(running()).toEqual([false, true]);
  expect(keysStore.getState().keys).not.toBeNull();
  keys.stop();
  turn('pageshow', true);
  expect(running()).toEqual([false, false]);
});
