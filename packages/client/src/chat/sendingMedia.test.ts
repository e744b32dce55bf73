import { fakeChatServer } from '../../tests/fakeChatServer.ts';
import { fakeDevice, fakeTabs } from '../../tests/fakeDevice.ts';
import { fakeTimers, settlePromises } from '../../tests/fakeTimers.ts';
import { createChatEngine } from './chatEngine.ts';
import type { MediaFields, MediaFiles, UnsentMedia, UnsentMessage, UploadEvents } from './ports.ts';

const media = (fields: MediaFields | null = null): UnsentMedia => ({
  messageType: 'image',
  name: 'cat.jpg',
  size: 3,
  info: null,
  fields,
});
const files: MediaFiles = { file: new Blob(['cat']) };
const fields: MediaFields = { messageType: 'image', fileUrl: '/objects/f', fileName: 'cat.jpg', fileSize: 3 };

function start(kept = fakeDevice(), tabs = fakeTabs()) {
  const server = fakeChatServer();
  const brought: { message: UnsentMessage; files: MediaFiles | undefined }[] = [];
  const dropped: string[] = [];
  let events: UploadEvents | undefined;
  let ids = 0;
  let broken = false;
  const engine = createChatEngine({
    selfId: 'me',
    api: server.api,
    openSocket: server.openSocket,
    timers: fakeTimers().timers,
    device: kept.device,
    tabs: tabs.join(),
    newId: () => `id${(ids += 1)}`,
    failureOf: () => ({ passing: true, code: 'network_error', message: '' }),
    onOtherFrame: () => {},
    onRefused: () => {},
    loadUploads: async (given) => {
      if (broken) throw new Error('The chunk did not come.');
      events = given;
      return {
        bring: (message, withFiles) => void brought.push({ message, files: withFiles }),
        drop: (id) => void dropped.push(id),
        flush: () => {},
        stop: () => {},
      };
    },
  });
  engine.start();
  return {
    server,
    engine,
    kept,
    tabs,
    brought,
    dropped,
    pending: () => engine.store.getState().timelines['c1']?.pending ?? [],
    finish: (message: UnsentMessage) =>
      events?.onBrought({ ...message, extras: { ...message.extras, media: media(fields) } }),
    refuse: (message: UnsentMessage) =>
      events?.onRefused(message, { passing: false, code: 'storage_full_plan', message: '' }),
    break: (how: boolean) => void (broken = how),
  };
}

test('the files are sent first, and then the message that carries them', async () => {
  const { engine, brought, pending, server, kept, finish } = start();
  await settlePromises();
  engine.send('c1', 'My cat', { media: media() }, files);
  await settlePromises();
  expect(brought).toMatchObject([{ message: { content: 'My cat' }, files }]);
  expect(server.messages).toEqual([]);
  expect(pending()).toMatchObject([{ content: 'My cat', state: 'sending', extras: { media: { name: 'cat.jpg' } } }]);
  expect(kept.unsent.get('id1')?.content).toContain('"fields":null');
  await finish(brought[0]!.message);
  await settlePromises();
  expect(server.messages).toMatchObject([{ content: 'My cat', messageType: 'image', fileUrl: '/objects/f' }]);
  expect(pending()).toEqual([]);
  expect(kept.unsent.size).toBe(0);
});

test('text does not wait for files in transit', async () => {
  const { engine, server } = start();
  await settlePromises();
  engine.send('c1', '', { media: media() }, files);
  engine.send('c1', 'Wait for it');
  await settlePromises();
  expect(server.messages.map(({ content }) => content)).toEqual(['Wait for it']);
});

test('a forwarded file is already on the server', async () => {
  const { engine, server, brought } = start();
  await settlePromises();
  engine.send('c1', '', { media: media(fields), forwarded: true });
  await settlePromises();
  expect(brought).toEqual([]);
  expect(server.messages).toMatchObject([{ messageType: 'image', fileUrl: '/objects/f', forwarded: true }]);
});

test('a message in transit can be cancelled, here and on the device', async () => {
  const { engine, brought, dropped, pending, kept } = start();
  await settlePromises();
  engine.send('c1', '', { media: media() }, files);
  await settlePromises();
  engine.discard('c1', 'id1');
  await settlePromises();
  expect(brought).toHaveLength(1);
  expect(dropped).toEqual(['id1']);
  expect(pending()).toEqual([]);
  expect(kept.unsent.size).toBe(0);
});

test('a refused file has a reason, and is retried with the same bytes', async () => {
  const { engine, brought, pending, refuse } = start();
  await settlePromises();
  engine.send('c1', '', { media: media() }, files);
  await settlePromises();
  refuse(brought[0]!.message);
  expect(pending()).toMatchObject([{ state: 'failed', reason: { code: 'storage_full_plan' } }]);
  engine.retry('c1', 'id1');
  await settlePromises();
  expect(brought[1]).toMatchObject({ message: { clientMessageId: 'id1', refused: null }, files });
});

test('the sending tab continues after a reload with what the device has', async () => {
  const kept = fakeDevice();
  const first = start(kept);
  await settlePromises();
  first.engine.send('c1', '', { media: media() }, files);
  await settlePromises();
  first.engine.stop();
  const second = start(kept);
  await settlePromises();
  expect(second.brought).toMatchObject([{ message: { clientMessageId: 'id1' }, files: undefined }]);
});

test('upload code that failed to load is requested again when the connection is back', async () => {
  const { engine, brought, pending, server, ...rest } = start();
  rest.break(true);
  await settlePromises();
  engine.send('c1', '', { media: media() }, files);
  await settlePromises();
  expect(pending()[0]?.state).toBe('waiting');
  rest.break(false);
  server.hello();
  await settlePromises();
  expect(brought).toMatchObject([{ files }]);
});
