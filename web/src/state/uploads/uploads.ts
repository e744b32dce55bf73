import type { File as StoredFile } from '@nolo/api';
import { limits } from '@nolo/rules';
import type {
  ChatDevice,
  MediaFiles,
  SendFailure,
  Timers,
  UnsentMedia,
  UnsentMessage,
  UploadEvents,
  UploadPlace,
  Uploads,
} from '../ports.ts';
import { fieldsOfUpload, kindOf } from './mediaFields.ts';
import type { Exclusively, RunningUpload, UploadTransport } from './ports.ts';
import { showProgress, uploadStore } from './uploadStore.ts';

export interface UploadsDependencies {
  transport: UploadTransport;
  /** Without it files are kept in memory alone. */
  device: ChatDevice | undefined;
  timers: Timers;
  failureOf(error: unknown): SendFailure;
  exclusively: Exclusively;
  events: UploadEvents;
}

/** Files beyond this are not copied to the device: they would fill it, and are chosen again after a reload. */
const mostKeptBytes = 200 * 1_024 * 1_024;

/** How long to wait after a failure that may pass; the line's return ends the wait. */
const retryMs = [1_000, 2_000, 5_000, 10_000, 30_000];

/** One message whose files are on their way. */
interface Job {
  readonly id: string;
  readonly message: UnsentMessage;
  readonly media: UnsentMedia;
  files: MediaFiles | undefined;
  /** The device has the files, or will not have them. */
  keeping: Promise<unknown>;
  place: UploadPlace | undefined;
  /** What has arrived is not sent again. */
  stored: { file?: StoredFile; poster?: StoredFile };
  running: RunningUpload | null;
  readonly given: AbortController;
  paused: boolean;
  wake: () => void;
  shownAt: number;
  /** Resolves when nothing more is done for it, however it ended. */
  over: Promise<void>;
}

/** So many tasks at a time; the others wait in their order. */
function createGate(places: number): <T>(task: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let free = places;
  return async (task) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await task();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  };
}

/**
 * Brings the files of messages to the server: six at a time, again after failures that pass, on from where a reload cut
 * them off, and in no more than one tab. The message is then handed on with what it says of its files; of several that
 * were chosen together in the order in which they were chosen.
 */
export function createUploads(dependencies: UploadsDependencies): Uploads {
  const { transport, device, timers, failureOf, exclusively, events } = dependencies;
  const jobs = new Map<string, Job>();
  const gate = createGate(limits.uploadConcurrency);
  let stopped = false;

  const isOver = ({ given }: Job): boolean => stopped || given.signal.aborted;
  const sizeOf = ({ files, media }: Job): number => (files ? files.file.size + (files.poster?.size ?? 0) : media.size);

  const show = (job: Job, phase: 'waiting' | 'uploading' | 'paused', sent: number): void => {
    if (isOver(job)) return;
    job.shownAt = timers.now();
    showProgress(job.id, { phase, sent, total: Math.max(sizeOf(job), sent, 1) });
  };

  /** One of the two files of a message. */
  const bringFile = async (job: Job, part: 'file' | 'poster', file: Blob, before: number): Promise<StoredFile> => {
    const known = job.stored[part];
    if (known) return known;
    const whole = part === 'file';
    const running = transport.upload({
      file,
      name: whole ? (job.media.name ?? job.media.messageType) : 'poster',
      kind: whole ? kindOf(job.media) : 'image',
      ...(whole && { place: job.place }),
      onPlace(place) {
        if (!whole) return;
        job.place = place;
        device?.putUploadPlace(job.id, place).catch(() => {});
      },
      onProgress(sent) {
        const due = timers.now() - job.shownAt >= limits.uploadProgressMs || sent === file.size;
        if (due && !job.paused) show(job, 'uploading', before + sent);
      },
      onStall(stalled) {
        if (isOver(job)) return;
        if (stalled) events.onWaiting(job.message);
        else events.onSending(job.message);
      },
    });
    job.running = running;
    if (job.paused) running.pause();
    try {
      return (job.stored[part] = await running.done);
    } finally {
      job.running = null;
    }
  };

  const bringAll = async (job: Job, files: MediaFiles): Promise<UnsentMessage> => {
    events.onSending(job.message);
    show(job, job.paused ? 'paused' : 'uploading', 0);
    const poster = files.poster && (await bringFile(job, 'poster', files.poster, 0));
    const file = await bringFile(job, 'file', files.file, files.poster?.size ?? 0);
    const media = { ...job.media, fields: fieldsOfUpload(job.media, file, poster?.url) };
    return { ...job.message, extras: { ...job.message.extras, media } };
  };

  const rest = (job: Job, ms: number): Promise<void> =>
    new Promise((resolve) => {
      const cancel = timers.after(ms, resolve);
      job.wake = () => {
        cancel();
        resolve();
      };
    });

  /** The files of a message that another tab wrote, or this one before it was reloaded; null where it is settled. */
  const filesFromDevice = async (job: Job): Promise<MediaFiles | undefined | null> => {
    const stored = await device?.readUnsent(job.id).catch(() => undefined);
    if (!stored || stored.refused || stored.extras?.media?.fields !== null) return null;
    const kept = await device?.readFiles(job.id).catch(() => undefined);
    job.place = kept?.place;
    return kept;
  };

  const work = async (job: Job): Promise<void> => {
    if (!job.files) {
      const found = await filesFromDevice(job);
      if (found === null || isOver(job)) return;
      if (!found) return events.onRefused(job.message, { passing: false, code: 'file_gone', message: '' });
      job.files = found;
    }
    const { files } = job;
    for (let failures = 0; !isOver(job);) {
      try {
        const brought = await gate(() => bringAll(job, files));
        await Promise.all([job.keeping, job.media.after !== undefined && jobs.get(job.media.after)?.over]);
        if (!isOver(job)) await events.onBrought(brought);
        return;
      } catch (error) {
        if (isOver(job)) return;
        const failure = failureOf(error);
        // It was given up on the server while nobody went on with it: from the beginning, then.
        const swept = failure.code === 'upload_not_found' && job.place !== undefined;
        if (swept) job.place = undefined;
        else if (!failure.passing) return events.onRefused(job.message, failure);
        else {
          events.onWaiting(job.message);
          show(job, 'waiting', 0);
          const delay = failure.retryAfterMs ?? retryMs[Math.min(failures, retryMs.length - 1)] ?? 0;
          failures += 1;
          await rest(job, delay);
        }
      }
    }
  };

  const keep = (id: string, files: MediaFiles): Promise<unknown> => {
    const small = files.file.size <= mostKeptBytes;
    // Full or refused: it is sent from memory, and is lost only with this tab.
    return small && device ? device.putFiles(id, files).catch(() => undefined) : Promise.resolve();
  };

  const setPaused = (id: string, paused: boolean): void => {
    const job = jobs.get(id);
    if (!job || job.paused === paused) return;
    job.paused = paused;
    const { sent = 0 } = uploadStore.getState().uploads[id] ?? {};
    show(job, paused ? 'paused' : 'uploading', sent);
    if (paused) job.running?.pause();
    else job.running?.resume();
  };
  uploadStore.setState({ pause: (id) => setPaused(id, true), resume: (id) => setPaused(id, false) });

  return {
    bring(message, files) {
      const { clientMessageId: id, extras } = message;
      const media = extras?.media;
      if (!media || jobs.has(id) || stopped) return;
      const job: Job = {
        id,
        message,
        media,
        files,
        keeping: files ? keep(id, files) : Promise.resolve(),
        place: undefined,
        stored: {},
        running: null,
        given: new AbortController(),
        paused: false,
        wake: () => {},
        shownAt: 0,
        over: Promise.resolve(),
      };
      jobs.set(id, job);
      show(job, 'waiting', 0);
      job.over = exclusively(`nolo-upload-${id}`, job.given.signal, () => work(job)).finally(() => {
        jobs.delete(id);
        showProgress(id, null);
      });
    },
    drop(id) {
      const job = jobs.get(id);
      if (!job) return;
      job.given.abort();
      job.running?.cancel();
      job.wake();
      // What was being written when it was given up is not to stay.
      void job.keeping.then(() => device?.removeUnsent(id)).catch(() => {});
    },
    flush() {
      for (const job of jobs.values()) job.wake();
    },
    stop() {
      stopped = true;
      for (const job of jobs.values()) {
        // Not for good: the next visit goes on from here.
        job.running?.pause();
        job.wake();
        showProgress(job.id, null);
      }
    },
  };
}
