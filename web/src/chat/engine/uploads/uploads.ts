import type { File as StoredFile } from '@nolo/api';
import { limits } from '@nolo/rules';
import type { ChatDevice, MediaFiles, UploadEvents, Uploads } from '../ports.ts';
import type { SendFailure, Timers, UploadTransport } from '../../../api/ports.ts';
import type { StoredLooks } from './ports.ts';
import type { Exclusively } from '../../../device/exclusively.ts';
import { createBringing, sizeOf, type UploadJob } from './uploadJob.ts';
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

/** Waits, unless it is woken before. */
function rest(timers: Timers, job: UploadJob, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const cancel = timers.after(ms, resolve);
    job.wake = () => {
      cancel();
      resolve();
    };
  });
}

/** Whether the message is settled already, by another tab or before this one was reloaded. */
async function isSettled(device: ChatDevice | undefined, job: UploadJob): Promise<boolean> {
  if (!device) return false;
  try {
    const stored = await device.readUnsent(job.id);
    return !stored || stored.refused !== null || stored.extras?.media?.fields !== null;
  } catch {
    // What is behind a link can be fetched all the same; what is on the device alone cannot be had from it.
    return job.media.link === undefined;
  }
}

/** Copies the files to the device, so that a reload finds them. */
function keep(device: ChatDevice | undefined, id: string, files: MediaFiles): Promise<unknown> {
  const small = files.file.size <= mostKeptBytes;
  // Full or refused: it is sent from memory, and is lost only with this tab.
  return small && device ? device.putFiles(id, files).catch(() => undefined) : Promise.resolve();
}

/**
 * Brings the files of messages to the server, or has it fetch them: six at a time, again after failures that pass, on from
 * where a reload cut them off, and in no more than one tab. The message is then handed on with what it says of its files; of several that
 * were chosen together in the order in which they were chosen.
 */
export function createUploads(dependencies: UploadsDependencies): Uploads {
  const { device, timers, failureOf, exclusively, events } = dependencies;
  const jobs = new Map<string, UploadJob>();
  const gate = createGate(limits.uploadConcurrency);
  let stopped = false;
  const isOver = ({ given }: UploadJob): boolean => stopped || given.signal.aborted;
  const { show, bringMedia } = createBringing(dependencies, isOver);

  /** Gets hold of what there is to bring; false where there is nothing to do any more. */
  const begin = async (job: UploadJob): Promise<boolean> => {
    if (job.files) return true;
    if (await isSettled(device, job)) return false;
    if (job.media.link !== undefined) return true;
    const kept = await device?.readFiles(job.id).catch(() => undefined);
    job.place = kept?.place;
    job.files = kept;
    if (!kept && !isOver(job)) events.onRefused(job.message, { passing: false, code: 'file_gone', message: '' });
    return kept !== undefined;
  };

  const work = async (job: UploadJob): Promise<void> => {
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
          await rest(timers, job, delay);
        }
      }
    }
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
      const job: UploadJob = {
        id,
        message,
        media,
        files,
        filesStored: files ? keep(device, id, files) : Promise.resolve(),
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
