import { fakeChatServer } from '../../tests/fakeChatServer.ts';
import { fakeDevice } from '../../tests/fakeDevice.ts';
import { fakeTimers, settlePromises } from '../../tests/fakeTimers.ts';
import { createServerClock } from '../clock/serverClock.ts';
import { createChatEngine } from './chatEngine.ts';
import { replaceExpired, hasDisappeared, findNextMessageExpiry } from './expiry.ts';

const iso = (ms: number) => new Date(ms).toISOString();

function setUp(clock = fakeTimers()) {
  const server = fakeChatServer();
  const device = fakeDevice();
  const engine = createChatEngine({
    selfId: 'me',
    api: server.api,
    openSocket: server.openSocket,
    timers: clock.timers,
    device: device.device,
    newId: () => 'x',
    failureOf: () => ({ passing: true, code: 'network_error', message: '' }),
    onOtherFrame: () => {},
    onRefused: () => {},
  });
  return { server, clock, device, engine };
}

test('an expired message disappears from the screen, the row and the device, without the server', async () => {
  const { server, clock, device, engine } = setUp();
  server.store('you', 'stays', null);
  server.store('you', 'secret', null);
  server.change('m2', { expiresAt: iso(clock.timers.now() + 10_000), mentions: ['me'], linkPreview: '{}' });
  engine.start();
  server.hello();
  await settlePromises();
  await engine.open('c1');
  await clock.advance(5_000);
  expect(JSON.stringify([...device.timelines.values()])).toContain('secret');

  server.cut();
  await clock.advance(6_000);
  const { timelines, conversations } = engine.store.getState();
  const [kept, gone] = timelines['c1']?.messages ?? [];
  expect(kept?.content).toBe('stays');
  expect(gone).toMatchObject({ content: '', mentions: [], linkPreview: null });
  expect(gone && hasDisappeared(gone)).toBe(true);
  expect(JSON.stringify(conversations)).not.toContain('secret');
  expect(JSON.stringify([[...device.timelines.values()], [...device.rows.values()]])).not.toContain('secret');
  engine.stop();
});

test('messages that only the device has disappear there too', async () => {
  const { clock, device, engine, server } = setUp();
  const fading = { ...server.store('you', 'secret', null), expiresAt: iso(clock.timers.now() + 10_000) };
  device.timelines.set('c9', {
    conversationId: 'c9',
    activity: '',
    changeSeq: 1,
    hasOlder: false,
    count: 1,
    nextExpiry: clock.timers.now() + 10_000,
    messages: [fading],
  });
  engine.start();
  await settlePromises();
  await clock.advance(11_000);
  expect(JSON.stringify(device.timelines.get('c9'))).not.toContain('secret');
  engine.stop();
});

test('messages without an expiry stay, and a list with nothing to remove stays the same', () => {
  const { server } = setUp();
  const messages = [server.store('you', 'stays', null)];
  expect(findNextMessageExpiry(messages)).toBe(Infinity);
  expect(replaceExpired(messages, 1e15)).toBe(messages);
});

test('a device whose clock is 90 s fast keeps unexpired messages, from the moment it starts', async () => {
  const clock = fakeTimers();
  const trueTime = clock.timers.now;
  const start = trueTime();
  const serverClock = createServerClock({
    wall: () => trueTime() + 90_000,
    elapsed: () => trueTime() - start,
    storage: undefined,
    refresh: () => {},
  });
  const { now, certain, subscribe } = serverClock;
  const { engine, device } = setUp({
    ...clock,
    timers: { ...clock.timers, now, certain, onMoved: subscribe },
  });
  const expiresAt = start + 60_000;
  const fading = { ...fakeChatServer().store('you', 'secret', null), expiresAt: iso(expiresAt) };
  device.timelines.set('c9', {
    conversationId: 'c9',
    activity: '',
    changeSeq: 1,
    hasOlder: false,
    count: 1,
    nextExpiry: expiresAt,
    messages: [fading],
  });
  const kept = () => JSON.stringify([...device.timelines.values()]);
  engine.start();
  await settlePromises();
  expect(kept()).toContain('secret');

  serverClock.answered(new Headers({ Date: new Date(start).toUTCString() }), 0);
  await settlePromises();
  await clock.advance(55_000);
  expect(kept()).toContain('secret');
  await clock.advance(6_000);
  expect(kept()).not.toContain('secret');
  engine.stop();
});
