import { limits } from '@nolo/rules';
import type { ChatDeviceStorage, MediaFiles, MessageFileUploader } from '../chat/ports.ts';
import type { Timers } from '../ports.ts';
import type { MessageFileUploaderDependencies } from './ports.ts';
import { createUploadRunner, uploadSizeOf, type UploadJob } from './uploadJob.ts';
import { showProgress, uploadStore } from './uploadStore.ts';

/** Maximum bytes of a file copied to the device. Larger ones would fill it and must be chosen again after a reload. */
const maxKeptFileBytes = 200 * 1_024 * 1_024;

/** Delays in milliseconds after temporary failures. Reconnecting ends the wait. */
const retryMs = [1_000, 2_000, 5_000, 10_000, 30_000];

/** Runs at most `places` tasks at a time. The others wait in order. */
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

/** Waits until the time is up or the job is woken. */
function rest(timers: Timers, job: UploadJob, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const cancel = timers.after(ms, resolve);
    job.wake = () => {
      cancel();
      resolve();
    };
  });
}

/** Returns true if the message is already settled, by another tab or before a reload. */
async function isSettled(device: ChatDeviceStorage | undefined, job: UploadJob): Promise<boolean> {
  if (!device) return false;
  try {
    const stored = await device.readUnsent(job.id);
    return !stored || stored.refused !== null || stored.extras?.media?.fields !== null;
  } catch {
    // Linked files can be fetched anyway. Files on the device alone are unavailable.
    return job.media.link === undefined;
  }
}

/** Copies the files to the device, so that they survive a reload. */
function keep(device: ChatDeviceStorage | undefined, id: string, files: MediaFiles): Promise<unknown> {
  const small = files.file.size <= maxKeptFileBytes;
  // If storage is full or refused, the file is sent from memory and only lost with this tab.
  return small && device ? device.putFiles(id, files).catch(() => undefined) : Promise.resolve();
}

/**
 * Uploads the files of messages or makes the server fetch them: six at a time, with retries after temporary failures,
 * resuming after a reload, and in one tab only. Passes each message on with its media fields. Messages chosen together
 * keep their order.
 */
export function createMessageFileUploader(dependencies: MessageFileUploaderDependencies): MessageFileUploader {
  const { device, timers, failureOf, exclusively, events } = dependencies;
  const jobs = new Map<string, UploadJob>();
  const gate = createGate(limits.uploadConcurrency);
  let stopped = false;
  const isOver = ({ given }: UploadJob): boolean => stopped || given.signal.aborted;
  const { show, bringMedia } = createUploadRunner(dependencies, isOver);

  /** Loads the files to upload. Returns false if there is nothing left to do. */
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
        // The server expired the unfinished upload, so it restarts.
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
    const { sent = 0, total = uploadSizeOf(job) } = uploadStore.getState().uploads[id] ?? {};
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
        preview: undefined,
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
      // Files still being written when the upload is canceled must not remain.
      void job.filesStored.then(() => device?.removeUnsent(id)).catch(() => {});
    },
    flush() {
      for (const job of jobs.values()) job.wake();
    },
    stop() {
      stopped = true;
      for (const job of jobs.values()) {
        // Temporary: the next page load resumes the upload or makes the server fetch the file again.
        if (job.media.link === undefined) job.running?.pause();
        else job.running?.cancel();
        job.wake();
        showProgress(job.id, null);
      }
    },
  };
}
