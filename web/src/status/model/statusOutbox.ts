import type { NewStatus } from '@nolo/api';
import { createStore } from 'zustand/vanilla';
import type { MediaFiles } from '../../chat/engine/ports.ts';
import type { SendFailure, Timers, RunningUpload, UploadTransport } from '../../api/ports.ts';
import type { Exclusively } from '../../device/exclusively.ts';

/** A status update that the server has not acknowledged, as it waits on the device. */
export interface UnsentStatus {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  /** Without the addresses of its files, which come when these are on the server. */
  readonly body: NewStatus;
  readonly files?: MediaFiles;
  /** What its file is called. */
  readonly name?: string;
  /** Why the server refused it; null while it waits to leave. */
  readonly refused: { readonly code: string; readonly message: string } | null;
}

/** Where they are kept until they have left; every call may fail. */
export interface StatusDevice {
  listStatuses(): Promise<readonly UnsentStatus[]>;
  putStatus(status: UnsentStatus): Promise<void>;
  removeStatus(id: string): Promise<void>;
}

export interface OutgoingStatus {
  readonly status: UnsentStatus;
  readonly state: 'waiting' | 'sending' | 'failed';
  /** Of its files, from 0 to 1; null where it has none. */
  readonly progress: number | null;
}

export interface StatusOutboxDependencies {
  device: StatusDevice;
  transport: Pick<UploadTransport, 'upload'>;
  post(status: NewStatus): Promise<unknown>;
  failureOf(error: unknown): SendFailure;
  exclusively: Exclusively;
  timers: Timers;
  onPosted(status: UnsentStatus): void;
  onRefused(status: UnsentStatus, failure: SendFailure): void;
}

/** How long to wait after a failure that may pass; the line's return ends the wait. */
const retryMs = [1_000, 2_000, 5_000, 10_000, 30_000];

interface Job {
  status: UnsentStatus;
  readonly given: AbortController;
  running: RunningUpload | null;
  /** What has arrived is not sent again. */
  readonly urls: { file?: string; poster?: string };
  wake: () => void;
}

/**
 * Status updates on their way: kept on the device until the server has them, brought by one tab at a time, tried again
 * after failures that pass. Sent again under the same id, one is still one.
 */
export function createStatusOutbox(dependencies: StatusOutboxDependencies) {
  const { device, transport, post, failureOf, exclusively, timers, onPosted, onRefused } = dependencies;
  const store = createStore<{ outgoing: readonly OutgoingStatus[] }>(() => ({ outgoing: [] }));
  const jobs = new Map<string, Job>();
  let stopped = false;

  const show = (status: UnsentStatus, state: OutgoingStatus['state'], progress: number | null = null): void =>
    store.setState(({ outgoing }) => {
      const shown = { status, state, progress };
      const known = outgoing.some((one) => one.status.id === status.id);
      return {
        outgoing: known ? outgoing.map((one) => (one.status.id === status.id ? shown : one)) : [...outgoing, shown],
      };
    });
  const hide = (id: string): void =>
    store.setState(({ outgoing }) => ({ outgoing: outgoing.filter(({ status }) => status.id !== id) }));
  const isOver = ({ given }: Job): boolean => stopped || given.signal.aborted;
  /** A full or refused storage leaves it in memory. */
  const quietly = (task: Promise<unknown>): Promise<unknown> => task.catch(() => undefined);

  const bring = async (job: Job, part: 'file' | 'poster', file: Blob, before: number): Promise<string> => {
    const known = job.urls[part];
    if (known !== undefined) return known;
    const { status } = job;
    const isFile = part === 'file';
    const total = (status.files?.file.size ?? 0) + (status.files?.poster?.size ?? 0);
    const running = transport.upload({
      file,
      name: isFile ? (status.name ?? 'status') : 'poster',
      kind: isFile && status.body.mediaType === 'video' ? 'video' : 'image',
      ...(isFile === !status.files?.poster && { thumbnails: status.files?.thumbnails }),
      onPlace: () => undefined,
      onProgress: (sent) => {
        if (!isOver(job)) show(status, 'sending', total > 0 ? (before + sent) / total : 0);
      },
      onStall: (stalled) => {
        if (!isOver(job)) show(status, stalled ? 'waiting' : 'sending', 0);
      },
    });
    job.running = running;
    try {
      return (job.urls[part] = (await running.done).url);
    } finally {
      job.running = null;
    }
  };

  const send = async (job: Job): Promise<void> => {
    const { body, files } = job.status;
    show(job.status, 'sending', files ? 0 : null);
    const poster = files?.poster && (await bring(job, 'poster', files.poster, 0));
    const media = files && (await bring(job, 'file', files.file, files.poster?.size ?? 0));
    await post({
      ...body,
      clientStatusId: job.status.id,
      ...(media !== undefined && { mediaUrl: media }),
      ...(poster !== undefined && { previewUrl: poster }),
    });
  };

  const rest = (job: Job, ms: number): Promise<void> =>
    new Promise((resolve) => {
      const cancel = timers.after(ms, resolve);
      job.wake = () => {
        cancel();
        resolve();
      };
    });

  const work = async (job: Job): Promise<void> => {
    for (let failures = 0; !isOver(job); failures += 1) {
      try {
        await send(job);
        if (isOver(job)) return;
        await quietly(device.removeStatus(job.status.id));
        hide(job.status.id);
        return onPosted(job.status);
      } catch (error) {
        if (isOver(job)) return;
        const failure = failureOf(error);
        if (!failure.passing) {
          job.status = { ...job.status, refused: { code: failure.code, message: failure.message } };
          await quietly(device.putStatus(job.status));
          show(job.status, 'failed');
          return onRefused(job.status, failure);
        }
        show(job.status, 'waiting');
        await rest(job, failure.retryAfterMs ?? retryMs[Math.min(failures, retryMs.length - 1)] ?? 0);
      }
    }
  };

  /** Another tab may have brought it while this one waited for its turn. */
  const isLeft = async ({ id }: UnsentStatus): Promise<boolean> => {
    const kept = await device.listStatuses().catch(() => undefined);
    return kept === undefined || kept.some((one) => one.id === id);
  };

  const begin = (status: UnsentStatus, fromDevice: boolean): void => {
    if (stopped || jobs.has(status.id)) return;
    const job: Job = { status, given: new AbortController(), running: null, urls: {}, wake: () => undefined };
    jobs.set(status.id, job);
    show(status, 'waiting');
    const turn = async () => {
      if (!fromDevice || (await isLeft(status))) await work(job);
      else hide(status.id);
    };
    void exclusively(`nolo-status-${status.id}`, job.given.signal, turn).finally(() => jobs.delete(status.id));
  };

  return {
    store,
    /** Goes on with what an earlier visit left. */
    async resume(): Promise<void> {
      const kept = await device.listStatuses().catch(() => []);
      for (const status of kept) {
        if (status.refused) show(status, 'failed');
        else begin(status, true);
      }
    },
    /** On the device before it leaves, so that neither a reload nor a killed browser loses it. */
    async add(status: UnsentStatus): Promise<void> {
      await quietly(device.putStatus(status));
      begin(status, false);
    },
    async retry(id: string): Promise<void> {
      const failed = store.getState().outgoing.find(({ status }) => status.id === id)?.status;
      if (!failed) return;
      const status = { ...failed, refused: null };
      await quietly(device.putStatus(status));
      begin(status, false);
    },
    /** Gives it up, whether it failed or is still on its way. */
    async discard(id: string): Promise<void> {
      const job = jobs.get(id);
      job?.given.abort();
      job?.running?.cancel();
      job?.wake();
      hide(id);
      await quietly(device.removeStatus(id));
    },
    /** The line is back. */
    flush(): void {
      for (const job of jobs.values()) job.wake();
    },
    stop(): void {
      stopped = true;
      for (const job of jobs.values()) {
        job.running?.pause();
        job.wake();
      }
    },
  };
}

export type StatusOutbox = ReturnType<typeof createStatusOutbox>;
