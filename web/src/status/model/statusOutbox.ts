import type { NewStatus } from '@nolo/api';
import { createStore } from 'zustand/vanilla';
import type { SendFailure, Timers, UploadTransport, RunExclusively } from '@nolo/client/ports';
import { createStatusDelivery, type OutgoingStatus, type StatusJob, type UnsentStatus } from './statusDelivery.ts';

/** Stores status updates until they are sent. Every call may fail. */
export interface StatusDeviceStorage {
  listStatuses(): Promise<readonly UnsentStatus[]>;
  putStatus(status: UnsentStatus): Promise<void>;
  removeStatus(id: string): Promise<void>;
}

/** Delays in milliseconds after temporary failures. Reconnecting ends the wait. */
const retryMs = [1_000, 2_000, 5_000, 10_000, 30_000];

/**
 * Queue of status updates: stored on the device until the server has them, sent by one tab at a time, and retried after
 * temporary failures. A repeated request has the same id and creates no duplicate.
 */
export function createStatusOutbox(dependencies: {
  device: StatusDeviceStorage;
  transport: Pick<UploadTransport, 'upload'>;
  post(status: NewStatus): Promise<unknown>;
  failureOf(error: unknown): SendFailure;
  exclusively: RunExclusively;
  timers: Timers;
  onPosted(status: UnsentStatus): void;
  onRefused(status: UnsentStatus, failure: SendFailure): void;
}) {
  const { device, transport, post, failureOf, exclusively, timers, onPosted, onRefused } = dependencies;
  const store = createStore<{ outgoing: readonly OutgoingStatus[] }>(() => ({ outgoing: [] }));
  const jobs = new Map<string, StatusJob>();
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
  const isOver = ({ given }: StatusJob): boolean => stopped || given.signal.aborted;
  const send = createStatusDelivery({ transport, post, show, isOver });
  /** If storage is full or refused, it stays in memory. */
  const quietly = (task: Promise<unknown>): Promise<unknown> => task.catch(() => undefined);

  const rest = (job: StatusJob, ms: number): Promise<void> =>
    new Promise((resolve) => {
      const cancel = timers.after(ms, resolve);
      job.wake = () => {
        cancel();
        resolve();
      };
    });

  const work = async (job: StatusJob): Promise<void> => {
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

  /** The status update may have been sent by another tab while this one waited for its turn. */
  const isLeft = async ({ id }: UnsentStatus): Promise<boolean> => {
    const kept = await device.listStatuses().catch(() => undefined);
    return kept === undefined || kept.some((one) => one.id === id);
  };

  const begin = (status: UnsentStatus, fromDevice: boolean): void => {
    if (stopped || jobs.has(status.id)) return;
    const job: StatusJob = { status, given: new AbortController(), running: null, urls: {}, wake: () => undefined };
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
    /** Resumes what an earlier session left. */
    async resume(): Promise<void> {
      const kept = await device.listStatuses().catch(() => []);
      for (const status of kept) {
        if (status.refused) show(status, 'failed');
        else begin(status, true);
      }
    },
    /** Stored on the device before it is sent, so that neither a reload nor a killed browser loses it. */
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
    /** Discards a status update that failed or is still being sent. */
    async discard(id: string): Promise<void> {
      const job = jobs.get(id);
      job?.given.abort();
      job?.running?.cancel();
      job?.wake();
      hide(id);
      await quietly(device.removeStatus(id));
    },
    /** Retries after reconnecting. */
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
