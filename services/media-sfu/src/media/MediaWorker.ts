import { once } from 'node:events';
import type { Log } from '@nolo/kit/log';
import { createWorker, type types } from 'mediasoup';
import { socketBuffers } from './socketBuffers.ts';

export interface WorkerOptions {
  /** Path of the worker program. Default: mediasoup's own. */
  binary: string | undefined;
  /** Listen addresses, each with its own port. Browsers receive all of them. */
  listenIps: readonly string[];
  /** Address that browsers receive instead of the one in `listenIps`. */
  announcedAddress: string | undefined;
  /** Port of the first worker. 0: any free ports. */
  firstPort: number;
  /** Ports for media between workers and nodes. */
  pipePorts: { readonly min: number; readonly max: number };
  log: Log;
}

/** Participant served by a worker, and its cost. */
interface Served {
  readonly cost: number;
}

/** Mediasoup worker: a process with its own core, and the port at which its participants reach it. */
export class MediaWorker {
  readonly index: number;
  readonly worker: types.Worker;
  readonly server: types.WebRtcServer;
  readonly peers = new Set<Served>();
  /** Recently used share of a core. */
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

  /** Number of streams that it sends, or will send once its participants view them. */
  get cost(): number {
    let cost = 0;
    for (const peer of this.peers) cost += peer.cost;
    return cost;
  }

  /** Updates `load`. `now`: milliseconds. */
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

/** Environment variables that a worker needs to be found, loaded, and run under a debugging tool. */
const workerVariables = /^(PATH|LD_LIBRARY_PATH|LANG|TZ|TMPDIR|MEDIASOUP_\w+)$/;

/**
 * Creates a worker without mediasoup's default of passing on the whole environment, including secrets: workers parse
 * untrusted input and must not know any. The environment is read before the call returns, and none of our code runs in
 * between.
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
 * Creates a worker that survives stop signals. Mediasoup would end its workers as soon as the process is asked to stop,
 * but ours continue until their participants have moved. If the process dies otherwise, workers end with their channel.
 */
function createLastingWorker(settings: types.WorkerSettings): Promise<types.Worker> {
  const signals = ['SIGINT', 'SIGTERM'] as const;
  const before = signals.map((signal) => new Set(process.listeners(signal)));
  // Listeners are registered when the call returns, before the worker runs.
  const starting = createWorkerWithoutSecrets(settings);
  signals.forEach((signal, index) => {
    for (const listener of process.listeners(signal)) if (!before[index]?.has(listener)) process.off(signal, listener);
  });
  return starting;
}
