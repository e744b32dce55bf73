/** @jest-environment jsdom */
import { jest } from '@jest/globals';
import type { ImportTask } from '@nolo/client/ports';
import { importFileFromLink } from './linkImport.ts';
import { ApiError } from './request.ts';

/** Server's end of an import's connection, as the browser sees it. */
class FakeWebSocket extends EventTarget {
  static readonly OPEN = 1;
  static readonly all: FakeWebSocket[] = [];
  readonly readyState = 1;
  readonly sentActions: string[] = [];
  readonly address: string;

  constructor(address: URL) {
    super();
    this.address = address.pathname;
    FakeWebSocket.all.push(this);
  }
  send(text: string): void {
    this.sentActions.push((JSON.parse(text) as { action: string }).action);
  }
  close(): void {}
  open(): void {
    this.dispatchEvent(new Event('open'));
  }
  emitMessage(action: string, payload: object): void {
    this.dispatchEvent(new MessageEvent('message', { data: JSON.stringify({ action, payload }) }));
  }
  break(): void {
    this.dispatchEvent(new Event('close'));
  }
}

const orders: string[] = [];
let refusal: { status: number; code: string } | undefined;
let online = true;
const before = { fetch: globalThis.fetch, WebSocket: globalThis.WebSocket };

beforeEach(() => {
  jest.useFakeTimers();
  FakeWebSocket.all.length = 0;
  orders.length = 0;
  refusal = undefined;
  online = true;
  jest.spyOn(navigator, 'onLine', 'get').mockImplementation(() => online);
  globalThis.WebSocket = FakeWebSocket as unknown as typeof WebSocket;
  globalThis.fetch = (async (_: string, init: { body: string }) => {
    orders.push(init.body);
    const body = refusal ?? { token: '5f0c3e9e-1b1a-4f3e-9a43-7f1f3a0d2c11' };
    const text = JSON.stringify(body);
    const status = refusal?.status ?? 200;
    return {
      ok: status < 300,
      status,
      statusText: '',
      headers: new Map(),
      text: async () => text,
      json: async () => body,
    };
  }) as unknown as typeof fetch;
});
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
  Object.assign(globalThis, before);
});

/** Starts an import that is connected. */
async function begin(more: Partial<ImportTask> = {}) {
  const progressEvents: string[] = [];
  const running = importFileFromLink({
    link: 'https://example.org/a.bin',
    name: 'a.bin',
    size: 40,
    onProgress: (came, total) => progressEvents.push(`${came} of ${total}`),
    onStall: (stalled) => progressEvents.push(stalled ? 'stalled' : 'on'),
    ...more,
  });
  const outcome = running.done.then(
    (file) => `done ${file.id}`,
    (error: unknown) => (error instanceof ApiError ? `${error.code} ${error.passing}` : (error as Error).name),
  );
  await jest.advanceTimersByTimeAsync(0);
  return { running, progressEvents, outcome };
}

test('an import reports its progress and its outcome', async () => {
  const { progressEvents, outcome } = await begin();
  expect(JSON.parse(orders[0] ?? '')).toMatchObject({
    url: 'https://example.org/a.bin',
    size: 40,
    metadata: { name: 'a.bin' },
  });
  const [socket] = FakeWebSocket.all;
  expect(socket?.address).toBe('/api/5f0c3e9e-1b1a-4f3e-9a43-7f1f3a0d2c11');
  socket?.emitMessage('progress', { bytesUploaded: 10, bytesTotal: 40 });
  socket?.emitMessage('progress', { bytesUploaded: 20, bytesTotal: 0 });
  socket?.emitMessage('success', { response: { body: { id: 'f' } } });
  expect(await outcome).toBe('done f');
  expect(progressEvents).toEqual(['10 of 40', '20 of null']);
});

test('an import continues over a new connection when one breaks or is dead', async () => {
  const { outcome } = await begin();
  FakeWebSocket.all[0]?.break();
  await jest.advanceTimersByTimeAsync(0);
  expect(FakeWebSocket.all).toHaveLength(2);
  // The second connection stays silent.
  await jest.advanceTimersByTimeAsync(61_000);
  expect(FakeWebSocket.all).toHaveLength(3);
  FakeWebSocket.all[2]?.emitMessage('success', { response: { body: { id: 'f' } } });
  expect(await outcome).toBe('done f');
  expect(orders).toHaveLength(1);
  expect(new Set(FakeWebSocket.all.map(({ address }) => address)).size).toBe(1);
});

test('an import waits for the network, however long, and continues by itself', async () => {
  const { progressEvents, outcome } = await begin();
  online = false;
  FakeWebSocket.all[0]?.break();
  await jest.advanceTimersByTimeAsync(600_000);
  expect([FakeWebSocket.all.length, progressEvents]).toEqual([1, ['stalled']]);
  online = true;
  globalThis.dispatchEvent(new Event('online'));
  expect(progressEvents).toEqual(['stalled', 'on']);
  // The server has dropped it meanwhile, so it starts again.
  FakeWebSocket.all[1]?.emitMessage('error', { error: { message: 'Over.', code: 'import_over' } });
  expect(await outcome).toBe('import_over true');
});

test('a failure has a reason, and whether it may be transient', async () => {
  for (const [code, passing] of [
    ['link_unreachable', false],
    ['storage_full_plan', false],
    ['pictures_busy', true],
  ] as const) {
    const { outcome } = await begin();
    FakeWebSocket.all.at(-1)?.emitMessage('error', { error: { message: 'No.', code } });
    expect(await outcome).toBe(`${code} ${passing}`);
  }
  refusal = { status: 429, code: 'rate_limited' };
  expect(await (await begin()).outcome).toBe('rate_limited true');
  refusal = undefined;
  const { outcome } = await begin();
  for (const delay of [0, 1_000, 3_000, 5_000, 0]) {
    FakeWebSocket.all.at(-1)?.break();
    await jest.advanceTimersByTimeAsync(delay);
  }
  expect(await outcome).toBe('network_error true');
});

test('an import can be paused, resumed and cancelled, also over a new connection', async () => {
  const { running, outcome } = await begin();
  running.pause();
  FakeWebSocket.all[0]?.break();
  await jest.advanceTimersByTimeAsync(0);
  FakeWebSocket.all[1]?.open();
  running.resume();
  running.cancel();
  expect(FakeWebSocket.all.map(({ sentActions }) => sentActions)).toEqual([['pause'], ['pause', 'resume', 'cancel']]);
  expect(await outcome).toBe('AbortError');
});
