import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { formatHostPort } from '@nolo/kit/config';
import { gatewaySubjectOf } from '@nolo/kit/delivery';
import { newId } from '@nolo/kit/ids';
import type { PeriodicTask } from '@nolo/kit/repeat';
import { createClient, bindRpcService } from '@nolo/kit/rpc';
import { createService, type ServiceApp, type ServiceContext, type ServiceOptions } from '@nolo/kit/service';
import { MediaServiceDefinition, type Node } from '@nolo/proto/media';
import { limits } from '@nolo/rules';
import { setLogEventListeners } from 'mediasoup';
import { drainMsOf, workerCountOf, type MediaConfig } from './config.ts';
import { eventSubject, heartbeatSubject } from './domain/messages.ts';
import { onHeartbeat } from './events/onHeartbeat.ts';
import { onRoomEmpty } from './events/onRoomEmpty.ts';
import { createMediaMetrics } from './jobs/mediaMetrics.ts';
import { createScoreSender } from './jobs/sendScores.ts';
import { buildRouterRtpCapabilities } from './media/codecs.ts';
import { NeighbourNodes } from './media/NeighbourNodes.ts';
import type { OwnNode } from './media/NodeLink.ts';
import { Rooms } from './media/Rooms.ts';
import { isRefusalOfClosed } from './media/refusal.ts';
import { WorkerPool } from './media/WorkerPool.ts';
import type { Dependencies } from './rpc/dependencies.ts';
import { createMediaHandlers } from './rpc/handlers.ts';

export interface MediaAppOptions extends ServiceOptions<MediaConfig> {
  /** Time that an empty room stays open for people who return. */
  emptyRoomMs?: number;
  /** Time that fewer layers of a video must be viewed before its sender sends fewer. */
  fewerLayersAfterMs?: number;
  /** Lifetime of transports prepared for someone who is about to join. */
  preparedTransportsMs?: number;
}

/** Media node. Its `stop` lets participants move to other nodes before anything else. */
export interface MediaApp extends ServiceApp {
  /** Rooms of this node, for tests that send media. Undefined before the start. */
  readonly rooms: Rooms | undefined;
  readonly pool: WorkerPool | undefined;
}

const measureMs = 1000;
const checkNeighboursMs = 1000;
const sampleMs = 5000;
const scoreMs = 2000;
const drainCheckMs = 100;

/**
 * Lifetime of RPC connections. Callers use this node's own address, so no other node could answer, and reconnecting
 * costs both sides.
 */
const connectionAgeMs = 3_600_000;

/**
 * Heartbeat interval of a node that has been empty for a while. Such a node is still chosen and called, and a failed
 * call detects its death sooner than silence. The delay is for replicas of meetings that start together with the node:
 * they know it only after its first heartbeat.
 */
const quietMs = 5_000;
const busyForMs = 120_000;

export function createMediaApp({
  emptyRoomMs = 5000,
  fewerLayersAfterMs = 5000,
  preparedTransportsMs = limits.preparedTransportsMs,
  ...options
}: MediaAppOptions): MediaApp {
  let rooms: Rooms | undefined;
  let pool: WorkerPool | undefined;

  const service = createService('media-sfu', options, async (context) => {
    const { config, log, clock, metrics, bus } = context;
    setLogEventListeners({
      // Mediasoup reports calls on objects that closed meanwhile as errors, but they are routine in meetings.
      onwarn: (namespace, text) => log.debug({ namespace }, text),
      onerror: (namespace, text, error) =>
        log[isRefusalOfClosed(text) ? 'debug' : 'warn']({ namespace, err: error }, text),
    });
    const self: OwnNode = { nodeId: newId(), rpcAddress: config.RPC_ADDRESS ?? '' };
    const workers = await startWorkers(context);
    pool = workers;
    context.onStop('workers', () => workers.stop());

    const open: Rooms = new Rooms({
      pool: workers,
      self,
      clock,
      log,
      settings: {
        consumersPerWorker: config.MEDIA_CONSUMERS_PER_WORKER,
        maxIncomingBitrate: config.MEDIA_MAX_INCOMING_BITRATE,
        lostAfterMs: 2000,
        // A client with a path to this node usually finds it within one second.
        pathWithinMs: 4000,
        emptyRoomMs,
        preparedTransportsMs,
        pipeListenIp: config.MEDIA_LISTEN_IP[0] ?? '127.0.0.1',
        fewerLayersAfterMs,
      },
      clientOf: (address) => neighbours.clientOf(address),
      deliver: (gatewayId, delivery) => bus.publish(gatewaySubjectOf(gatewayId), delivery),
      sendScores: (event) => bus.publish(eventSubject, event),
    });
    rooms = open;
    context.onStop('rooms', () => open.closeAll());
    const neighbours: NeighbourNodes = new NeighbourNodes({
      rooms: open,
      clock,
      log,
      silentMs: config.MEDIA_SILENT_MS,
      connect: (address) => createClient(MediaServiceDefinition, address, { secret: config.RPC_SECRET }),
    });
    context.onStop('clients of other nodes', () => neighbours.close());
    context.onStop('heartbeats of other nodes', bus.subscribe(heartbeatSubject, onHeartbeat({ neighbours, self })));
    context.onStop('events of other nodes', bus.subscribe(eventSubject, onRoomEmpty({ rooms: open, self })));

    const rtpCapabilitiesJson = JSON.stringify(buildRouterRtpCapabilities());
    const describe = (): Node => {
      let [peers, consumers] = [0, 0];
      for (const peer of open.peers()) {
        peers += 1;
        consumers += peer.consumers.size;
      }
      const { load } = workers;
      const { draining } = open;
      return { ...self, rtpCapabilitiesJson, rooms: open.size, peers, consumers, load, draining };
    };
    const dependencies: Dependencies = { rooms: open, self, describe };

    const measured = createMediaMetrics(metrics, open, workers);
    let endQuietPeriod = () => undefined as void;
    return {
      services: [
        bindRpcService(
          MediaServiceDefinition,
          createMediaHandlers(dependencies, () => endQuietPeriod()),
        ),
      ],
      connectionAgeMs,
      checks: {
        workers: () => ({ ok: workers.workers.length > 0, own: true }),
      },
      async opened({ rpc = 0 }) {
        self.rpcAddress ||= reachableAddress(config, rpc);
        await workers.measure();
        endQuietPeriod = startNodeTasks(context, {
          rooms: open,
          workers,
          neighbours,
          describe,
          sample: () => measured.sample(),
        });
      },
    };
  });

  return {
    ...service,
    get rooms() {
      return rooms;
    },
    get pool() {
      return pool;
    },
  };
}

const startWorkers = ({ config, clock, log }: ServiceContext<MediaConfig>) =>
  WorkerPool.start({
    count: workerCountOf(config),
    binary: config.MEDIASOUP_WORKER_BIN,
    listenIps: config.MEDIA_LISTEN_IP,
    announcedAddress: config.MEDIA_ANNOUNCED_ADDRESS,
    firstPort: config.MEDIA_PORT,
    pipePorts: config.MEDIA_PIPE_PORTS,
    clock,
    log,
  });

/** Runs a node's periodic tasks. @returns a function to call when someone may have joined */
function startNodeTasks(
  context: ServiceContext<MediaConfig>,
  {
    rooms,
    workers,
    neighbours,
    describe,
    sample,
  }: {
    rooms: Rooms;
    workers: WorkerPool;
    neighbours: NeighbourNodes;
    describe: () => Node;
    sample: () => Promise<void> | void;
  },
): () => void {
  const { config, clock, bus } = context;
  let busyAt = clock.now().getTime();
  const isBusy = () => rooms.size > 0 || rooms.draining;
  const beat = () => {
    const now = clock.now().getTime();
    if (isBusy()) busyAt = now;
    const isQuiet = now - busyAt > busyForMs;
    const paceMs = isQuiet ? Math.max(quietMs, config.MEDIA_HEARTBEAT_MS) : config.MEDIA_HEARTBEAT_MS;
    bus.publish(heartbeatSubject, { ...describe(), paceMs });
    return isQuiet ? 'nothing' : undefined;
  };
  beat();
  const sendScores = createScoreSender(rooms);
  const whileBusy = (run: () => Promise<void> | void) => async () => {
    await run();
    return isBusy() ? undefined : 'nothing';
  };
  // Process-local state, which is all that a node knows.
  const tasks: [string, number, PeriodicTask['run']][] = [
    ['heartbeats', config.MEDIA_HEARTBEAT_MS, async () => beat()],
    ['load', measureMs, whileBusy(() => workers.measure())],
    ['pipes', checkNeighboursMs, whileBusy(() => neighbours.check())],
    ['scores', scoreMs, whileBusy(sendScores)],
    ['statistics', sampleMs, whileBusy(() => sample())],
  ];
  const repeated = tasks.map(([name, everyMs, run]) =>
    context.repeat({ name, everyMs, quietMs: Math.max(quietMs, everyMs), everywhere: true, run }),
  );
  const endQuietPeriod = () => {
    for (const task of repeated) task.endQuietPeriod();
  };
  context.onStop('participants', () =>
    drain(
      context,
      rooms,
      () => !neighbours.hasStaying,
      () => void beat(),
    ),
  );
  return endQuietPeriod;
}

/**
 * Drains the node. Meetings sees the flag in the heartbeats and moves everyone as soon as another node is available;
 * the node's death moves those who remain. Does not wait for people who are already gone.
 */
async function drain(
  { config, clock }: Pick<ServiceContext<MediaConfig>, 'config' | 'clock'>,
  rooms: Rooms,
  isAlone: () => boolean,
  beat: () => void,
): Promise<void> {
  rooms.drain(isAlone);
  beat();
  const until = clock.now().getTime() + drainMsOf(config);
  while (rooms.isMissed && clock.now().getTime() < until) await sleep(drainCheckMs);
}

/**
 * Returns the address at which others reach this process if none is configured. The machine's name replaces "all
 * addresses".
 */
function reachableAddress({ RPC_LISTEN: { host } }: MediaConfig, port: number): string {
  return formatHostPort({ host: /^(0\.0\.0\.0|::)$/.test(host) ? hostname() : host, port });
}
