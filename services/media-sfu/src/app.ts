import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { addressOf } from '@nolo/kit/config';
import { gatewaySubject } from '@nolo/kit/delivery';
import { newId } from '@nolo/kit/ids';
import type { Task } from '@nolo/kit/repeat';
import { createClient, rpcService } from '@nolo/kit/rpc';
import { createService, type App as Service, type Ground, type ServiceOptions } from '@nolo/kit/service';
import { MediaServiceService, type Node } from '@nolo/proto/media';
import { limits } from '@nolo/rules';
import { setLogEventListeners } from 'mediasoup';
import { drainMsOf, workersOf, type MediaConfig } from './config.ts';
import { eventSubject, heartbeatSubject } from './domain/messages.ts';
import { onHeartbeat } from './events/onHeartbeat.ts';
import { onRoomEmpty } from './events/onRoomEmpty.ts';
import { createMediaMetrics } from './jobs/mediaMetrics.ts';
import { tellScores } from './jobs/tellScores.ts';
import { routerRtpCapabilities } from './media/codecs.ts';
import { Neighbours } from './media/Neighbours.ts';
import type { Self } from './media/NodeLink.ts';
import { Rooms } from './media/Rooms.ts';
import { isRefusalOfClosed } from './media/refusal.ts';
import { WorkerPool } from './media/WorkerPool.ts';
import type { Dependencies } from './rpc/dependencies.ts';
import { mediaHandlers } from './rpc/handlers.ts';

export interface AppOptions extends ServiceOptions<MediaConfig> {
  /** How long an empty room is kept for whoever comes back. */
  emptyRoomMs?: number;
  /** How long fewer layers of a video are looked at before its sender sends fewer. */
  fewerLayersAfterMs?: number;
  /** How long a seat is kept for somebody at the door. */
  seatMs?: number;
}

/** Its stop lets participants move away before all else. */
export interface App extends Service {
  /** What is going on here; for tests that send media. Undefined before the start. */
  readonly rooms: Rooms | undefined;
  readonly pool: WorkerPool | undefined;
}

const measureMs = 1000;
const checkNeighboursMs = 1000;
const sampleMs = 5000;
const scoreMs = 2000;
const drainCheckMs = 100;

/** Callers come by the address of this very node, so there is no other to be found; a connection made anew costs both sides. */
const connectionAgeMs = 3_600_000;

/**
 * A node in which nobody is, and was not for a while, looks after itself and is heard this often: it is chosen and called
 * all the same, and a call that finds nobody tells sooner than silence. The while is for replicas of meetings that start
 * with it, which know a node once they have heard it.
 */
const quietMs = 5_000;
const busyForMs = 120_000;

export function createApp({
  emptyRoomMs = 5000,
  fewerLayersAfterMs = 5000,
  seatMs = limits.seatMs,
  ...options
}: AppOptions): App {
  let rooms: Rooms | undefined;
  let pool: WorkerPool | undefined;

  const service = createService('media-sfu', options, async (ground) => {
    const { config, log, clock, metrics, bus } = ground;
    setLogEventListeners({
      // What fails because it was closed on the way is an error to mediasoup, and everyday life in a meeting.
      onwarn: (namespace, text) => log.debug({ namespace }, text),
      onerror: (namespace, text, error) =>
        log[isRefusalOfClosed(text) ? 'debug' : 'warn']({ namespace, err: error }, text),
    });
    const self: Self = { nodeId: newId(), rpcAddress: config.RPC_ADDRESS ?? '' };
    const workers = await startWorkers(ground);
    pool = workers;
    ground.onStop('workers', () => workers.stop());

    const open: Rooms = new Rooms({
      pool: workers,
      self,
      clock,
      log,
      settings: {
        consumersPerWorker: config.MEDIA_CONSUMERS_PER_WORKER,
        maxIncomingBitrate: config.MEDIA_MAX_INCOMING_BITRATE,
        lostAfterMs: 2000,
        // Who has a way here finds it within one.
        pathWithinMs: 4000,
        emptyRoomMs,
        seatMs,
        pipeListenIp: config.MEDIA_LISTEN_IP[0] ?? '127.0.0.1',
        fewerLayersAfterMs,
      },
      clientOf: (address) => neighbours.clientOf(address),
      deliver: (gatewayId, delivery) => bus.publish(gatewaySubject(gatewayId), delivery),
      tell: (event) => bus.publish(eventSubject, event),
    });
    rooms = open;
    ground.onStop('rooms', () => open.closeAll());
    const neighbours: Neighbours = new Neighbours({
      rooms: open,
      clock,
      log,
      silentMs: config.MEDIA_SILENT_MS,
      connect: (address) => createClient(MediaServiceService, address, { secret: config.RPC_SECRET }),
    });
    ground.onStop('clients of other nodes', () => neighbours.close());
    ground.onStop('heartbeats of other nodes', bus.subscribe(heartbeatSubject, onHeartbeat({ neighbours, self })));
    ground.onStop('events of other nodes', bus.subscribe(eventSubject, onRoomEmpty({ rooms: open, self })));

    const rtpCapabilitiesJson = JSON.stringify(routerRtpCapabilities());
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
    let stir = () => undefined as void;
    return {
      services: [
        rpcService(
          MediaServiceService,
          mediaHandlers(dependencies, () => stir()),
        ),
      ],
      connectionAgeMs,
      checks: {
        workers: () => ({ ok: workers.workers.length > 0, own: true }),
      },
      async opened({ rpc = 0 }) {
        self.rpcAddress ||= reachableAddress(config, rpc);
        await workers.measure();
        stir = lookAfterNode(ground, { rooms: open, workers, neighbours, describe, sample: () => measured.sample() });
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

const startWorkers = ({ config, clock, log }: Ground<MediaConfig>) =>
  WorkerPool.start({
    count: workersOf(config),
    binary: config.MEDIASOUP_WORKER_BIN,
    listenIps: config.MEDIA_LISTEN_IP,
    announcedAddress: config.MEDIA_ANNOUNCED_ADDRESS,
    firstPort: config.MEDIA_PORT,
    pipePorts: config.MEDIA_PIPE_PORTS,
    clock,
    log,
  });

/** What a node does again and again while it runs. @returns what to call where somebody may have come */
function lookAfterNode(
  ground: Ground<MediaConfig>,
  {
    rooms,
    workers,
    neighbours,
    describe,
    sample,
  }: {
    rooms: Rooms;
    workers: WorkerPool;
    neighbours: Neighbours;
    describe: () => Node;
    sample: () => Promise<void> | void;
  },
): () => void {
  const { config, clock, bus } = ground;
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
  const tell = tellScores(rooms);
  const whileBusy = (run: () => Promise<void> | void) => async () => {
    await run();
    return isBusy() ? undefined : 'nothing';
  };
  // In this process alone, which is all that a node knows.
  const tasks: [string, number, Task['run']][] = [
    ['heartbeats', config.MEDIA_HEARTBEAT_MS, async () => beat()],
    ['load', measureMs, whileBusy(() => workers.measure())],
    ['pipes', checkNeighboursMs, whileBusy(() => neighbours.check())],
    ['scores', scoreMs, whileBusy(tell)],
    ['statistics', sampleMs, whileBusy(() => sample())],
  ];
  const repeated = tasks.map(([name, everyMs, run]) =>
    ground.repeat({ name, everyMs, quietMs: Math.max(quietMs, everyMs), everywhere: true, run }),
  );
  const stir = () => {
    for (const task of repeated) task.stir();
  };
  ground.onStop('participants', () =>
    drain(
      ground,
      rooms,
      () => !neighbours.hasStaying,
      () => void beat(),
    ),
  );
  return stir;
}

/**
 * Meetings sees the mark in the heartbeats and moves everybody as soon as another node is there; who has not gone by the
 * end is moved by our death. Whoever is gone already is not waited for.
 */
async function drain(
  { config, clock }: Pick<Ground<MediaConfig>, 'config' | 'clock'>,
  rooms: Rooms,
  isAlone: () => boolean,
  beat: () => void,
): Promise<void> {
  rooms.drain(isAlone);
  beat();
  const until = clock.now().getTime() + drainMsOf(config);
  while (rooms.isMissed && clock.now().getTime() < until) await sleep(drainCheckMs);
}

/** How others reach this process where nobody said so: a machine's name stands for "every address". */
function reachableAddress({ RPC_LISTEN: { host } }: MediaConfig, port: number): string {
  return addressOf({ host: /^(0\.0\.0\.0|::)$/.test(host) ? hostname() : host, port });
}
