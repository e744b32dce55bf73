import { once } from 'node:events';
import type { Log } from '@nolo/kit/log';
import { createWorker, type types } from 'mediasoup';
import { socketBuffers } from './socketBuffers.ts';

export interface WorkerOptions {
  /** The worker's program; mediasoup's own unless given. */
  binary: string | undefined;
  /** Each with a port of its own; browsers are told all of them. */
  listenIps: readonly string[];
  /** What browsers are told in place of the one in `listenIps`. */
  announcedAddress: string | undefined;
  /** Of the first worker; 0 takes free ports. */
  firstPort: number;
  /** For media between workers and nodes. */
  pipePorts: { readonly min: number; readonly max: number };
  log: Log;
}

/** Who is served by a worker, for what it costs. */
interface Served {
  readonly cost: number;
}

/** One mediasoup worker, a process with a core of its own, and the port through which its participants reach it. */
export class MediaWorker {
  readonly index: number;
  readonly worker: types.Worker;
  readonly server: types.WebRtcServer;
  readonly peers = new Set<Served>();
  /** Share of a core that it used lately. */
  load = 0;
  #measured: { at: number; cpuMs: number } | undefined;

  constructor(index: number, worker: types.Worker, server: types.WebRtcServer) {
    this.index = index;
    this.worker = worker;
    this.server = server;
  }

  static async start(index: number, options: WorkerOptions): Promise<MediaWorker> {
    const worker = await createLastingWorker({
      logLevel: 'error',
      rtcMinPort: options.pipePorts.min,
      rtcMaxPort: options.pipePorts.max,
      ...(options.binary === undefined ? {} : { workerBin: options.binary }),
    });
    try {
      const listen = options.listenIps.map((ip) => ({
        ip,
        ...(options.announcedAddress === undefined ? {} : { announcedAddress: options.announcedAddress }),
        ...(options.firstPort === 0 ? {} : { port: options.firstPort + index }),
      }));
      const server = await worker.createWebRtcServer({
        listenInfos: listen.flatMap((one) => [
          { protocol: 'udp', ...one, ...socketBuffers },
          { protocol: 'tcp', ...one },
        ]),
      });
      return new MediaWorker(index, worker, server);
    } catch (error) {
      worker.close();
      throw error;
    }
  }

  get closed(): boolean {
    return this.worker.closed;
  }

  /** Streams that it sends, or will once its participants look. */
  get cost(): number {
    let cost = 0;
    for (const peer of this.peers) cost += peer.cost;
    return cost;
  }

  /** Brings `load` up to date; `now` in milliseconds. */
  async measure(now: number): Promise<void> {
    const usage = await this.worker.getResourceUsage();
    const cpuMs = usage.ru_utime + usage.ru_stime;
    if (this.#measured && now > this.#measured.at) {
      this.load = Math.min(1, Math.max(0, (cpuMs - this.#measured.cpuMs) / (now - this.#measured.at)));
    }
    this.#measured = { at: now, cpuMs };
  }

  async stop(): Promise<void> {
    if (this.worker.subprocessClosed) return;
    const ended = once(this.worker, 'subprocessclose');
    this.worker.close();
    await ended;
  }
}

/** What the program of a worker needs to be found, to be loaded and to be tried under a tool. */
const workerVariables = /^(PATH|LD_LIBRARY_PATH|LANG|TZ|TMPDIR|MEDIASOUP_\w+)$/;

/**
 * mediasoup hands its own environment on to workers, secrets and all; they parse what strangers send, and are to know none
 * of them. The call takes it before it returns, and nothing of ours runs in between.
 */
function createWorkerWithoutSecrets(settings: types.WorkerSettings): Promise<types.Worker> {
  const { env } = process;
  // oxlint-disable-next-line node/no-process-env -- nothing is read: the library takes its environment from nowhere else
  process.env = Object.fromEntries(Object.entries(env).filter(([name]) => workerVariables.test(name)));
  try {
    return createWorker(settings);
  } finally {
    // oxlint-disable-next-line node/no-process-env -- see above
    process.env = env;
  }
}

/**
 * mediasoup would end its workers the moment that the process is asked to stop; ours go on until their participants have
 * moved. A process that dies otherwise takes them along, for they end with their channel.
 */
function createLastingWorker(settings: types.WorkerSettings): Promise<types.Worker> {
  const signals = ['SIGINT', 'SIGTERM'] as const;
  const before = signals.map((signal) => new Set(process.listeners(signal)));
  // The listeners are there when the call returns, before the worker runs.
  const starting = createWorkerWithoutSecrets(settings);
  signals.forEach((signal, index) => {
    for (const listener of process.listeners(signal)) if (!before[index]?.has(listener)) process.off(signal, listener);
  });
  return starting;
}
