import { settlePromises } from '../../tests/fakeTimers.ts';
import { message, passing, picture, progress, start } from '../../tests/fakeUploads.ts';
import { uploadStore } from './uploadStore.ts';

/** Uploads of files from the device: their order, retries, resumption, and progress. */

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
