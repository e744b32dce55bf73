import type { StoredFile } from '@nolo/api';
import { fakeDevice } from '../../tests/fakeDevice.ts';
import { fakeTimers, settlePromises } from '../../tests/fakeTimers.ts';
import type { UnsentMedia, UnsentMessage, UploadEvents } from '../chat/ports.ts';
import type { SendFailure, ImportTask, UploadTask } from '../ports.ts';
import type { StoredFilePreview } from './ports.ts';
import { createMessageFileUploader } from './uploads.ts';
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
    createMessageFileUploader({
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

test('a message continues with what the server found its file to be', async () => {
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

test('a file that the server does not accept as a picture is sent as a file', async () => {
  const { open, running, brought } = start();
  open().bring(message('a', { messageType: 'video' }), { file: picture() });
  await settlePromises();
  running[0]?.resolve({ kind: 'file' });
  await settlePromises();
  expect(brought[0]?.extras?.media?.fields?.messageType).toBe('file');
});

test('six uploads run at a time, and the next one starts when one is done', async () => {
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

test('files chosen together are sent in their order', async () => {
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

test('a transient failure is retried later, or at once when the connection is back', async () => {
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

test('the poster of a video is sent first, and what has arrived is not sent twice', async () => {
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

test('a refusal has a reason', async () => {
  const { open, running, uploadEvents } = start();
  open().bring(message('a'), { file: picture() });
  await settlePromises();
  running[0]?.onStall(true);
  expect(uploadEvents.at(-1)).toBe('waiting a');
  running[0]?.reject({ passing: false, code: 'storage_full_plan', message: 'Full' });
  await settlePromises();
  expect(uploadEvents.at(-1)).toBe('refused a storage_full_plan');
});

test('an upload resumes from the device after a reload, at the part that it had reached', async () => {
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

test('an upload that the server has dropped starts over', async () => {
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

test('a file that the device no longer has is reported as gone', async () => {
  const { open, kept, uploadEvents } = start();
  await kept.device.putUnsent(message('a'));
  open().bring(message('a'));
  await settlePromises();
  expect(uploadEvents).toEqual(['refused a file_gone']);
});

test('a message that another tab has sent meanwhile is left alone', async () => {
  const { open, running, uploadEvents } = start();
  open().bring(message('a'));
  await settlePromises();
  expect(uploadEvents).toEqual([]);
  expect(running).toEqual([]);
});

test('a cancelled upload ends here and on the server, and leaves nothing', async () => {
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

test('progress is reported twice a second, and an upload can be paused', async () => {
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

test('an upload runs from memory without storage', async () => {
  const { open, running, uploadEvents } = start(false);
  open().bring(message('a'), { file: picture() });
  await settlePromises();
  running[0]?.resolve();
  await settlePromises();
  expect(uploadEvents.at(-1)).toBe('brought a');
});

test('thumbnails are sent with their picture', async () => {
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

test('the miniature comes from the sender, or else from the server', async () => {
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

describe('a file behind a link', () => {
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

  test('is fetched by the server, and continues as what it was found to be', async () => {
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

  test('gets a poster if it is a video, and is not fetched again if that fails', async () => {
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

  test('waits while offline, shows why it was refused, and can be paused and cancelled', async () => {
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

  test('is fetched again after a reload, unless it was sent meanwhile', async () => {
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
