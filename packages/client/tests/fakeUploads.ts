import type { StoredFile } from '@nolo/api';
import type { UnsentMedia, UnsentMessage, UploadEvents } from '../src/chat/ports.ts';
import type { SendFailure, ImportTask, UploadTask } from '../src/ports.ts';
import type { StoredFilePreview } from '../src/uploads/ports.ts';
import { createMessageFileUploader } from '../src/uploads/uploads.ts';
import { uploadStore } from '../src/uploads/uploadStore.ts';
import { fakeDevice } from './fakeDevice.ts';
import { fakeTimers } from './fakeTimers.ts';

interface Running extends Omit<UploadTask, 'onProgress'> {
  onProgress: (sent: number, total?: number | null) => void;
  /** Source address of a file that the server fetches. */
  link?: string;
  resolve: (file?: Partial<StoredFile>) => void;
  reject: (failure: SendFailure) => void;
  paused: boolean;
  cancelled: boolean;
}

export const passing: SendFailure = { passing: true, code: 'network_error', message: '' };
export const picture = (size = 8) => new Blob(['x'.repeat(size)], { type: 'image/jpeg' });
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
export const message = (id: string, more: Partial<UnsentMedia> = {}): UnsentMessage => ({
  clientMessageId: id,
  conversationId: 'c1',
  content: '',
  createdAt: 1,
  refused: null,
  extras: { media: { messageType: 'image', name: `${id}.jpg`, size: 8, info: null, fields: null, ...more } },
});

/** Starts uploads with a server, a device, and timers that the test controls. */
export function start(withDevice = true) {
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

export const progress = (id: string) => uploadStore.getState().uploads[id];
