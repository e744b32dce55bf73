/** @jest-environment jsdom */
import { connectEarly } from './earlySocket.ts';
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

  says(type: string): void {
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
  const heard: string[] = [];
  openSocket({ onFrame: ({ type }) => heard.push(type), onClose: () => undefined });
  return heard;
}

test('what the early socket said before anybody listened is heard first, once, and after it is in hand', async () => {
  connectEarly();
  sockets[0]!.says('hello');
  sockets[0]!.says('ping');
  const heard = open();
  sockets[0]!.says('changed');
  expect(heard).toEqual([]);
  await anotherTurn();
  sockets[0]!.says('pong');
  expect(heard).toEqual(['hello', 'ping', 'changed', 'pong']);
  expect(sockets.map(({ url }) => url)).toEqual(['ws://localhost/ws']);
  // The next connection is a new one.
  const next = open();
  await anotherTurn();
  expect([next, sockets.length]).toEqual([[], 2]);
});

test('an early socket that closed meanwhile is as good as none', async () => {
  connectEarly();
  sockets[0]!.says('hello');
  sockets[0]!.readyState = 3;
  const heard = open();
  await anotherTurn();
  sockets[1]!.says('hello');
  expect(heard).toEqual(['hello']);
});
