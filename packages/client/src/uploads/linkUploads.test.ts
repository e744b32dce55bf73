import { settlePromises } from '../../tests/fakeTimers.ts';
import { message, passing, progress, start } from '../../tests/fakeUploads.ts';
import { uploadStore } from './uploadStore.ts';

/** Uploads of files that the server fetches from a link. */

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
