import type { File as StoredFile } from '@nolo/api';
import { limits } from '@nolo/rules';
import type { ChatDevice, MediaFiles, UnsentMedia, UnsentMessage, UploadEvents, Uploads } from '../ports.ts';
import type { SendFailure, Timers, UploadPlace, RunningUpload, UploadTransport } from '../../../api/ports.ts';
import { fieldsOfUpload, kindOf, mediaOfFetched } from './mediaFields.ts';
import type { StoredLooks } from './ports.ts';
import type { Exclusively } from '../../../device/exclusively.ts';
import { showProgress, uploadStore } from './uploadStore.ts';

export interface UploadsDependencies {
  transport: UploadTransport;
  /** Looks at what the server fetched; a file that cannot be looked at goes as it is. */
  lookAt(file: StoredFile): Promise<StoredLooks>;
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
  filesStored: Promise<unknown>;
  place: UploadPlace | undefined;
  /** What has arrived is not sent again. */
  stored: { file?: StoredFile; poster?: StoredFile };
  looks: StoredLooks | undefined;
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
 * Brings the files of messages to the server, or has it fetch them: six at a time, again after failures that pass, on from
 * where a reload cut them off, and in no more than one tab. The message is then handed on with what it says of its files; of several that
 * were chosen together in the order in which they were chosen.
 */
export function createUploads(dependencies: UploadsDependencies): Uploads {
  const { transport, lookAt, device, timers, failureOf, exclusively, events } = dependencies;
  const jobs = new Map<string, Job>();
  const gate = createGate(limits.uploadConcurrency);
  let stopped = false;

  const isOver = ({ given }: Job): boolean => stopped || given.signal.aborted;
  const sizeOf = ({ files, media }: Job): number | null => {
    if (files) return files.file.size + (files.poster?.size ?? 0);
    return media.link !== undefined && media.size === 0 ? null : media.size;
  };

  const show = (job: Job, phase: 'waiting' | 'uploading' | 'paused', sent: number, total = sizeOf(job)): void => {
    if (isOver(job)) return;
    job.shownAt = timers.now();
    showProgress(job.id, { phase, sent, total: total === null ? null : Math.max(total, sent, 1) });
  };

  const stall = (job: Job) => (stalled: boolean) => {
    if (isOver(job)) return;
    if (stalled) events.onWaiting(job.message);
    else events.onSending(job.message);
  };

  /** What it brings, while it can be held and given up. */
  const follow = async (job: Job, running: RunningUpload): Promise<StoredFile> => {
    job.running = running;
    if (job.paused) running.pause();
    try {
      return await running.done;
    } finally {
      job.running = null;
    }
  };

  /** One of the two files of a message. */
  const bringFile = async (
    job: Job,
    part: 'file' | 'poster',
    files: MediaFiles,
    before: number,
  ): Promise<StoredFile> => {
    const known = job.stored[part];
    if (known) return known;
    const whole = part === 'file';
    const file = (whole ? undefined : files.poster) ?? files.file;
    const running = transport.upload({
      file,
      name: whole ? (job.media.name ?? job.media.messageType) : 'poster',
      kind: whole ? kindOf(job.media) : 'image',
      // Smaller pictures are those of the still one, where there is one.
      ...(whole === !files.poster && { thumbnails: files.thumbnails }),
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
      onStall: stall(job),
    });
    return (job.stored[part] = await follow(job, running));
  };

  const bringAll = async (job: Job, files: MediaFiles): Promise<UnsentMedia> => {
    const poster = files.poster && (await bringFile(job, 'poster', files, 0));
    const file = await bringFile(job, 'file', files, files.poster?.size ?? 0);
    return { ...job.media, fields: fieldsOfUpload(job.media, file, poster?.url) };
  };

  /** Has the server fetch the file; what is seen of it before it plays is made of what was fetched. */
  const bringLink = async (job: Job, link: string): Promise<UnsentMedia> => {
    const { name, size } = job.media;
    job.stored.file ??= await follow(
      job,
      transport.importLink({
        link,
        name: name ?? '',
        size,
        onProgress(came, total) {
          if (!job.paused) show(job, 'uploading', came, total);
        },
        onStall: stall(job),
      }),
    );
    const { file } = job.stored;
    job.looks ??= await lookAt(file);
    const { info, poster: still, thumbnails } = job.looks;
    const poster =
      still && (await bringFile(job, 'poster', { file: still, poster: still, ...(thumbnails && { thumbnails }) }, 0));
    const media = mediaOfFetched(job.media, file, info);
    return { ...media, fields: fieldsOfUpload(media, file, poster?.url) };
  };

  const bringMedia = async (job: Job): Promise<UnsentMessage> => {
    events.onSending(job.message);
    show(job, job.paused ? 'paused' : 'uploading', 0);
    const { files, media: given } = job;
    const media = files ? await bringAll(job, files) : await bringLink(job, given.link ?? '');
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

  /** Whether the message is settled already, by another tab or before this one was reloaded. */
  const isSettled = async (job: Job): Promise<boolean> => {
    if (!device) return false;
    try {
      const stored = await device.readUnsent(job.id);
      return !stored || stored.refused !== null || stored.extras?.media?.fields !== null;
    } catch {
      // What is behind a link can be fetched all the same; what is on the device alone cannot be had from it.
      return job.media.link === undefined;
    }
  };

  /** Gets hold of what there is to bring; false where there is nothing to do any more. */
  const begin = async (job: Job): Promise<boolean> => {
    if (job.files) return true;
    if (await isSettled(job)) return false;
    if (job.media.link !== undefined) return true;
    const kept = await device?.readFiles(job.id).catch(() => undefined);
    job.place = kept?.place;
    job.files = kept;
    if (!kept && !isOver(job)) events.onRefused(job.message, { passing: false, code: 'file_gone', message: '' });
    return kept !== undefined;
  };

  const work = async (job: Job): Promise<void> => {
    if (!(await begin(job))) return;
    for (let failures = 0; !isOver(job);) {
      try {
        const brought = await gate(() => bringMedia(job));
        await Promise.all([job.filesStored, job.media.after !== undefined && jobs.get(job.media.after)?.over]);
        if (!isOver(job)) await events.onBrought(brought);
        return;
      } catch (error) {
        if (isOver(job)) return;
        const failure = failureOf(error);
        // The upload was given up on the server while nobody went on with it: from the beginning, then.
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
    const { sent = 0, total = sizeOf(job) } = uploadStore.getState().uploads[id] ?? {};
    show(job, paused ? 'paused' : 'uploading', sent, total);
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
        filesStored: files ? keep(id, files) : Promise.resolve(),
        place: undefined,
        stored: {},
        looks: undefined,
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
      void job.filesStored.then(() => device?.removeUnsent(id)).catch(() => {});
    },
    flush() {
      for (const job of jobs.values()) job.wake();
    },
    stop() {
      stopped = true;
      for (const job of jobs.values()) {
        // Not for good: the next visit goes on from here, or has the server fetch it anew.
        if (job.media.link === undefined) job.running?.pause();
        else job.running?.cancel();
        job.wake();
        showProgress(job.id, null);
      }
    },
  };
}
