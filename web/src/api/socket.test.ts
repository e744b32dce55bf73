/** @jest-environment jsdom */
import { openEarlySocket } from './earlySocket.ts';
import { openSocket } from './socket.ts';

const sockets: FakeSocket[] = [];

class FakeSocket {
  static readonly OPEN = 1;
  static readonly CLOSING = 2;
  readyState = FakeSocket.OPEN;
  onmessage: ((event: MessageEvent) => void) | undefined;
  readonly url: string;

  constructor(url: string) {
    this.url = url;
    sockets.push(this);
  }

  emitFrame(type: string): void {
    this.onmessage?.(new MessageEvent('message', { data: JSON.stringify({ type }) }));
  }
}

beforeEach(() => {
  sockets.length = 0;
  globalThis.WebSocket = FakeSocket as never;
});

// Sleeps: for one task, in which the socket delivers its early messages.
const anotherTurn = () => new Promise((resolve) => setTimeout(resolve));

function open(): string[] {
  const receivedTypes: string[] = [];
  openSocket({ onFrame: ({ type }) => receivedTypes.push(type), onClose: () => undefined });
  return receivedTypes;
}

test('frames of the early socket from before anyone listened are delivered first, once, and in a later task', async () => {
  openEarlySocket();
  sockets[0]!.emitFrame('hello');
  sockets[0]!.emitFrame('ping');
  const receivedTypes = open();
  sockets[0]!.emitFrame('changed');
  expect(receivedTypes).toEqual([]);
  await anotherTurn();
  sockets[0]!.emitFrame('pong');
  expect(receivedTypes).toEqual(['hello', 'ping', 'changed', 'pong']);
  expect(sockets.map(({ url }) => url)).toEqual(['ws://localhost/ws?content=sealed']);
  // The next connection is a new one.
  const next = open();
  await anotherTurn();
  expect([next, sockets.length]).toEqual([[], 2]);
});

test('an early socket that has closed is ignored', async () => {
  openEarlySocket();
  sockets[0]!.emitFrame('hello');
  sockets[0]!.readyState = 3;
  const receivedTypes = open();
  await anotherTurn();
  sockets[1]!.emitFrame('hello');
  expect(receivedTypes).toEqual(['hello']);
});
