import type { StoredFile } from '@nolo/api';
import { fakeDevice } from '../../../../tests/fakeDevice.ts';
import { fakeTimers, settlePromises } from '../../../../tests/fakeTimers.ts';
import type { UnsentMedia, UnsentMessage, UploadEvents } from '../ports.ts';
import type { SendFailure, ImportTask, UploadTask } from '../../../api/ports.ts';
import type { StoredFilePreview } from './ports.ts';
import { createUploads } from './uploads.ts';
import { uploadStore } from './uploadStore.ts';

interface Running extends Omit<UploadTask, 'onProgress'> {
  onProgress: (sent: number, total?: number | null) => void;
  /** Source address of a file that the server fetches. */
  link?: string;
  resolve: (file?: Partial<StoredFile>) => void;
  reject: (failure: SendFailure) => void;
  paused: boolean;
  cancelled: boolean;
}

const passing: SendFailure = { passing: true, code: 'network_error', message: '' };
const picture = (size = 8) => new Blob(['x'.repeat(size)], { type: 'image/jpeg' });
const stored = (size: number): StoredFile => ({
  id: 'f',
  url: '/objects/f',
  name: 'cat.jpg',
  size,
  contentType: 'image/jpeg',
  kind: 'image',
  width: 40,
  height: 30,
  thumbnails: [],
  thumbhash: null,
  moves: false,
});
const message = (id: string, more: Partial<UnsentMedia> = {}): UnsentMessage => ({
  clientMessageId: id,
  conversationId: 'c1',
  content: '',
  createdAt: 1,
  refused: null,
  extras: { media: { messageType: 'image', name: `${id}.jpg`, size: 8, info: null, fields: null, ...more } },
});

function start(withDevice = true) {
  const clock = fakeTimers();
  const kept = fakeDevice();
  const running: Running[] = [];
  const uploadEvents: string[] = [];
  const brought: UnsentMessage[] = [];
  const events: UploadEvents = {
    onSending: ({ clientMessageId }) => uploadEvents.push(`sending ${clientMessageId}`),
    onWaiting: ({ clientMessageId }) => uploadEvents.push(`waiting ${clientMessageId}`),
    onRefused: ({ clientMessageId }, { code }) => uploadEvents.push(`refused ${clientMessageId} ${code}`),
    async onBrought(one) {
      uploadEvents.push(`brought ${one.clientMessageId}`);
      brought.push(one);
    },
  };
  const locks = new Map<string, Promise<void>>();
  const run = (task: Omit<Running, 'resolve' | 'reject' | 'paused' | 'cancelled'>) => {
    let resolve: (file: StoredFile) => void = () => {};
    let reject: (failure: unknown) => void = () => {};
    const done = new Promise<StoredFile>((resolved, rejected) => {
      resolve = resolved;
      reject = rejected;
    });
    const one: Running = {
      ...task,
      paused: false,
      cancelled: false,
      resolve: (file) => resolve({ ...stored(task.file.size), ...file }),
      reject,
    };
    running.push(one);
    return {
      done,
      pause: () => void (one.paused = true),
      resume: () => void (one.paused = false),
      cancel() {
        one.cancelled = true;
        reject(new Error('cancelled'));
      },
    };
  };
  const preview: StoredFilePreview = {
    info: { duration: 4 },
    poster: picture(3),
    thumbnails: [{ width: 320, file: picture(1) }],
  };
  const open = () =>
    createUploads({
      transport: {
        upload: (task) => run({ ...task, onProgress: (sent) => task.onProgress(sent) }),
        importLink: ({ link, onProgress, onStall }: ImportTask) =>
          run({
            file: picture(),
            name: '',
            kind: 'file',
            link,
            onStall,
            onPlace: () => {},
            onProgress: (came, total = null) => onProgress(came, total),
          }),
      },
      inspectFile: async ({ kind }) => (kind === 'video' ? preview : { info: {} }),
      device: withDevice ? kept.device : undefined,
      timers: clock.timers,
      failureOf: (error) => error as SendFailure,
      async exclusively(name, signal, task) {
        await locks.get(name);
        if (signal.aborted) return;
        const turn = task();
        locks.set(name, turn);
        await turn;
      },
      events,
    });
  return { clock, kept, running, uploadEvents, brought, open };
}

const progress = (id: string) => uploadStore.getState().uploads[id];

test('a message goes on with what the server found its file to be', async () => {
  const { open, running, brought, kept } = start();
  open().bring(message('a'), { file: picture() });
  await settlePromises();
  expect(kept.files.has('a')).toBe(true);
  running[0]?.resolve({ size: 7 });
  await settlePromises();
  expect(brought[0]?.extras?.media?.fields).toEqual({
    messageType: 'image',
    mediaInfo: '{"width":40,"height":30}',
    fileUrl: '/objects/f',
    fileName: 'cat.jpg',
    fileSize: 7,
  });
  expect(progress('a')).toBeUndefined();
});

test('what the server takes for no picture goes as a file', async () => {
  const { open, running, brought } = start();
  open().bring(message('a', { messageType: 'video' }), { file: picture() });
  await settlePromises();
  running[0]?.resolve({ kind: 'file' });
  await settlePromises();
  expect(brought[0]?.extras?.media?.fields?.messageType).toBe('file');
});

test('six at a time, and the next one when one is done', async () => {
  const { open, running } = start();
  const uploads = open();
  for (let n = 0; n < 8; n++) uploads.bring(message(`m${n}`), { file: picture() });
  await settlePromises();
  expect(running).toHaveLength(6);
  expect(progress('m7')?.phase).toBe('waiting');
  running[2]?.resolve();
  await settlePromises();
  expect(running).toHaveLength(7);
});

test('those that were chosen together leave in their order', async () => {
  const { open, running, uploadEvents } = start();
  const uploads = open();
  uploads.bring(message('one'), { file: picture() });
  uploads.bring(message('two', { after: 'one' }), { file: picture() });
  await settlePromises();
  running[1]?.resolve();
  await settlePromises();
  expect(uploadEvents).not.toContain('brought two');
  running[0]?.resolve();
  await settlePromises();
  expect(uploadEvents.filter((line) => line.startsWith('brought'))).toEqual(['brought one', 'brought two']);
});

test('a failure that passes is tried again later, or at once when the line is back', async () => {
  const { open, running, uploadEvents, clock } = start();
  const uploads = open();
  uploads.bring(message('a'), { file: picture() });
  await settlePromises();
  running[0]?.reject(passing);
  await settlePromises();
  expect(uploadEvents.at(-1)).toBe('waiting a');
  await clock.advance(1_000);
  expect(running).toHaveLength(2);
  running[1]?.reject(passing);
  await settlePromises();
  uploads.flush();
  await settlePromises();
  expect(running).toHaveLength(3);
});

test('of a video the poster goes first, and what has arrived is not sent twice', async () => {
  const { open, running, brought } = start();
  const uploads = open();
  uploads.bring(message('a', { messageType: 'video' }), { file: picture(), poster: picture() });
  await settlePromises();
  expect(running[0]?.kind).toBe('image');
  running[0]?.resolve({ url: '/objects/p' });
  await settlePromises();
  expect(running[1]?.kind).toBe('video');
  running[1]?.reject(passing);
  await settlePromises();
  uploads.flush();
  await settlePromises();
  expect(running[2]?.kind).toBe('video');
  running[2]?.resolve({ kind: 'video' });
  await settlePromises();
  expect(brought[0]?.extras?.media?.fields).toMatchObject({ messageType: 'video', previewUrl: '/objects/p' });
});

test('a refusal says why', async () => {
  const { open, running, uploadEvents } = start();
  open().bring(message('a'), { file: picture() });
  await settlePromises();
  running[0]?.onStall(true);
  expect(uploadEvents.at(-1)).toBe('waiting a');
  running[0]?.reject({ passing: false, code: 'storage_full_plan', message: 'Full' });
  await settlePromises();
  expect(uploadEvents.at(-1)).toBe('refused a storage_full_plan');
});

test('after a reload it goes on from the device, at the part where it stood', async () => {
  const { open, running, kept, uploadEvents } = start();
  const first = open();
  await kept.device.putUnsent(message('a'));
  first.bring(message('a'), { file: picture() });
  await settlePromises();
  running[0]?.onPlace({ key: 'uploads/f', uploadId: 'u' });
  first.stop();
  expect(running[0]?.paused).toBe(true);
  // The tab closes, which releases its lock.
  running[0]?.reject(passing);
  await settlePromises();
  open().bring(message('a'));
  await settlePromises();
  expect(running[1]?.place).toEqual({ key: 'uploads/f', uploadId: 'u' });
  running[1]?.resolve();
  await settlePromises();
  expect(uploadEvents.at(-1)).toBe('brought a');
});

test('an upload that the server has given up begins anew', async () => {
  const { open, running, kept } = start();
  await kept.device.putUnsent(message('a'));
  await kept.device.putFiles('a', { file: picture() });
  await kept.device.putUploadPlace('a', { key: 'k', uploadId: 'u' });
  open().bring(message('a'));
  await settlePromises();
  running[0]?.reject({ passing: false, code: 'upload_not_found', message: '' });
  await settlePromises();
  expect(running[1]?.place).toBeUndefined();
});

test('a file that is on no device any more is said to be gone', async () => {
  const { open, kept, uploadEvents } = start();
  await kept.device.putUnsent(message('a'));
  open().bring(message('a'));
  await settlePromises();
  expect(uploadEvents).toEqual(['refused a file_gone']);
});

test('what another tab has sent meanwhile is left alone', async () => {
  const { open, running, uploadEvents } = start();
  open().bring(message('a'));
  await settlePromises();
  expect(uploadEvents).toEqual([]);
  expect(running).toEqual([]);
});

test('given up, it ends here and on the server, and nothing of it stays', async () => {
  const { open, running, kept, uploadEvents } = start();
  const uploads = open();
  uploads.bring(message('a'), { file: picture() });
  await settlePromises();
  uploads.drop('a');
  await settlePromises();
  expect(running[0]?.cancelled).toBe(true);
  expect(kept.files.size).toBe(0);
  expect(uploadEvents.some((line) => line.startsWith('brought') || line.startsWith('refused'))).toBe(false);
  expect(progress('a')).toBeUndefined();
});

test('progress is told twice a second, and paused while one wants it so', async () => {
  const { open, running, clock } = start();
  open().bring(message('a', { size: 100 }), { file: picture(100) });
  await settlePromises();
  running[0]?.onProgress(10);
  expect(progress('a')?.sent).toBe(0);
  await clock.advance(500);
  running[0]?.onProgress(20);
  expect(progress('a')).toEqual({ phase: 'uploading', sent: 20, total: 100 });
  uploadStore.getState().pause('a');
  expect(running[0]?.paused).toBe(true);
  expect(progress('a')).toEqual({ phase: 'paused', sent: 20, total: 100 });
  uploadStore.getState().resume('a');
  expect(running[0]?.paused).toBe(false);
});

test('without a storage it goes from memory', async () => {
  const { open, running, uploadEvents } = start(false);
  open().bring(message('a'), { file: picture() });
  await settlePromises();
  running[0]?.resolve();
  await settlePromises();
  expect(uploadEvents.at(-1)).toBe('brought a');
});

test('smaller pictures go with the picture that they are of', async () => {
  const { open, running } = start();
  const thumbnails = [{ width: 320, file: picture(2) }];
  const uploads = open();
  uploads.bring(message('a'), { file: picture(), thumbnails });
  uploads.bring(message('b', { messageType: 'video' }), { file: picture(), poster: picture(), thumbnails });
  await settlePromises();
  expect(running[0]?.thumbnails).toEqual(thumbnails);
  expect(running[1]?.thumbnails).toEqual(thumbnails);
  running[1]?.resolve();
  await settlePromises();
  expect(running[2]).toMatchObject({ kind: 'video' });
  expect(running[2]?.thumbnails).toBeUndefined();
});

test('the miniature is what the sender made, or else the server', async () => {
  const { open, running, brought } = start();
  const uploads = open();
  uploads.bring(message('a', { info: '{"thumbhash":"b3duIG9uZQ=="}' }), { file: picture() });
  uploads.bring(message('b', { info: '{"moves":true}' }), { file: picture() });
  await settlePromises();
  for (const one of running) one.resolve({ thumbhash: 'dGhlaXJzISE=', moves: false });
  await settlePromises();
  const infos = brought.map(({ extras }) => JSON.parse(extras?.media?.fields?.mediaInfo ?? '') as object);
  expect(infos).toEqual([
    { thumbhash: 'b3duIG9uZQ==', width: 40, height: 30 },
    { thumbhash: 'dGhlaXJzISE=', width: 40, height: 30 },
  ]);
});

describe('what is behind a link', () => {
  const link = 'https://example.org/a';
  const behind = (id: string) => message(id, { messageType: 'file', name: 'a', size: 0, link });
  const begin = async () => {
    const begun = start();
    await begun.kept.device.putUnsent(behind('a'));
    const uploads = begun.open();
    uploads.bring(behind('a'));
    await settlePromises();
    return { ...begun, uploads };
  };

  test('is fetched by the server, and goes on as what it was found to be', async () => {
    const { running, brought } = await begin();
    expect(running[0]?.link).toBe(link);
    expect(progress('a')).toEqual({ phase: 'uploading', sent: 0, total: null });
    running[0]?.onProgress(10, 40);
    expect(progress('a')).toEqual({ phase: 'uploading', sent: 10, total: 40 });
    running[0]?.resolve({ name: 'Found.jpg', size: 40, thumbhash: 'dGhlaXJzISE=' });
    await settlePromises();
    const { media } = brought[0]?.extras ?? {};
    expect(media).toMatchObject({ messageType: 'image', name: 'Found.jpg', size: 40 });
    expect(media?.link).toBeUndefined();
    expect(media?.fields).toMatchObject({
      messageType: 'image',
      fileUrl: '/objects/f',
      mediaInfo: '{"thumbhash":"dGhlaXJzISE=","type":"image/jpeg","width":40,"height":30}',
    });
  });

  test('gets a still picture where it is a video, and is not fetched again when that fails', async () => {
    const { running, brought, uploads } = await begin();
    running[0]?.resolve({ kind: 'video', width: null, height: null, contentType: 'video/mp4' });
    await settlePromises();
    expect(running[1]).toMatchObject({ kind: 'image', name: 'poster', thumbnails: [{ width: 320 }] });
    running[1]?.reject(passing);
    await settlePromises();
    uploads.flush();
    await settlePromises();
    expect(running).toHaveLength(3);
    running[2]?.resolve({ url: '/objects/p' });
    await settlePromises();
    expect(brought[0]?.extras?.media?.fields).toMatchObject({
      messageType: 'video',
      previewUrl: '/objects/p',
      mediaInfo: '{"type":"video/mp4","duration":4}',
    });
  });

  test('waits where the line is away, says why it was refused, and can be held and given up', async () => {
    const { running, uploadEvents, uploads, clock } = await begin();
    running[0]?.reject(passing);
    await settlePromises();
    expect(uploadEvents.at(-1)).toBe('waiting a');
    await clock.advance(1_000);
    uploadStore.getState().pause('a');
    expect(running[1]?.paused).toBe(true);
    uploadStore.getState().resume('a');
    uploads.drop('a');
    await settlePromises();
    expect(running[1]?.cancelled).toBe(true);
    expect(uploadEvents.some((line) => line.startsWith('brought'))).toBe(false);

    const other = await begin();
    other.running[0]?.reject({ passing: false, code: 'link_unreachable', message: '' });
    await settlePromises();
    expect(other.uploadEvents.at(-1)).toBe('refused a link_unreachable');
  });

  test('is fetched anew after a reload, unless it was sent meanwhile', async () => {
    const { running, uploads, open, kept, uploadEvents } = await begin();
    uploads.stop();
    expect(running[0]?.cancelled).toBe(true);
    await settlePromises();
    open().bring(behind('a'));
    await settlePromises();
    expect(running[1]?.link).toBe(link);
    expect(uploadEvents.some((line) => line.startsWith('refused'))).toBe(false);
    await kept.device.removeUnsent('a');
    const later = start();
    later.open().bring(behind('a'));
    await settlePromises();
    expect(later.running).toEqual([]);
  });
});
