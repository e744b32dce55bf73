import { hostname } from 'node:os';
import { checkBus, connectBus } from '@nolo/kit/bus';
import { systemClock, type Clock } from '@nolo/kit/clock';
import { addressOf } from '@nolo/kit/config';
import { gatewaySubject } from '@nolo/kit/delivery';
import { newId } from '@nolo/kit/ids';
import { createStopStack } from '@nolo/kit/lifecycle';
import type { Log } from '@nolo/kit/log';
import { createClient, rpcService, serveRpc } from '@nolo/kit/rpc';
import { createRegistry, serveMetrics } from '@nolo/kit/telemetry';
import { MediaServiceService, type Node } from '@nolo/proto/media';
import { setLogEventListeners } from 'mediasoup';
import { drainMsOf, workersOf, type MediaConfig } from './config.ts';
import { eventSubject, heartbeatSubject } from './domain/messages.ts';
import { onHeartbeat } from './events/onHeartbeat.ts';
import { onRoomEmpty } from './events/onRoomEmpty.ts';
import { every } from './jobs/every.ts';
import { createMediaMetrics } from './jobs/mediaMetrics.ts';
import { tellScores } from './jobs/tellScores.ts';
import { routerRtpCapabilities } from './media/codecs.ts';
import { Neighbours } from './media/Neighbours.ts';
import type { Self } from './media/NodeLink.ts';
import { Rooms } from './media/Rooms.ts';
import { WorkerPool } from './media/WorkerPool.ts';
import { closeProducer } from './rpc/closeProducer.ts';
import { closeRoom } from './rpc/closeRoom.ts';
import { connectTransport } from './rpc/connectTransport.ts';
import type { Dependencies } from './rpc/dependencies.ts';
import { getNode } from './rpc/getNode.ts';
import { getPeerStats } from './rpc/getPeerStats.ts';
import { join } from './rpc/join.ts';
import { leave } from './rpc/leave.ts';
import { moveSocket } from './rpc/moveSocket.ts';
import { openPipe } from './rpc/openPipe.ts';
import { produce } from './rpc/produce.ts';
import { restartIce } from './rpc/restartIce.ts';
import { resumeConsumers } from './rpc/resumeConsumers.ts';
import { setPaused } from './rpc/setPaused.ts';
import { setPipeDemand } from './rpc/setPipeDemand.ts';
import { setPipedProducer } from './rpc/setPipedProducer.ts';
import { setView } from './rpc/setView.ts';

export interface AppOptions {
  config: MediaConfig;
  log: Log;
  clock?: Clock;
  /** How long an empty room is kept for whoever comes back. */
  emptyRoomMs?: number;
  /** How long fewer layers of a video are looked at before its sender sends fewer. */
  fewerLayersAfterMs?: number;
}

export interface App {
  /** Answers with the ports it listens on, which may have been asked for as 0. */
  start(): Promise<{ rpc: number; metrics: number }>;
  /** What is going on here; for tests that send media. Undefined before the start. */
  readonly rooms: Rooms | undefined;
  readonly pool: WorkerPool | undefined;
  /** Lets participants move away, then ends what was started, in reverse. Idempotent. */
  stop(): Promise<void>;
}

const measureMs = 1000;
const checkNeighboursMs = 1000;
const sampleMs = 5000;
const scoreMs = 2000;
const drainCheckMs = 100;

export function createApp({
  config,
  log,
  clock = systemClock,
  emptyRoomMs = 5000,
  fewerLayersAfterMs = 5000,
}: AppOptions): App {
  const stack = createStopStack(log);
  const self: Self = { nodeId: newId(), rpcAddress: config.RPC_ADDRESS ?? '' };
  let rooms: Rooms | undefined;
  let pool: WorkerPool | undefined;
  let isAlone = () => true;
  let beat = () => {};
  let stopping: Promise<void> | undefined;

  const start = async () => {
    setLogEventListeners({
      // What fails because it was closed on the way is an error to mediasoup, and everyday life in a meeting.
      onwarn: (namespace, text) => log.debug({ namespace }, text),
      onerror: (namespace, text, error) => log.warn({ namespace, err: error }, text),
    });
    const bus = await connectBus({ url: config.NATS_URL, prefix: config.NATS_PREFIX, name: 'media-sfu', log });
    stack.push('bus', () => bus.close());
    const workers = await WorkerPool.start({
      count: workersOf(config),
      binary: config.MEDIASOUP_WORKER_BIN,
      listenIps: config.MEDIA_LISTEN_IP,
      announcedAddress: config.MEDIA_ANNOUNCED_ADDRESS,
      firstPort: config.MEDIA_PORT,
      pipePorts: config.MEDIA_PIPE_PORTS,
      clock,
      log,
    });
    pool = workers;
    stack.push('workers', () => workers.stop());

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
        pipeListenIp: config.MEDIA_LISTEN_IP[0] ?? '127.0.0.1',
        fewerLayersAfterMs,
      },
      clientOf: (address) => neighbours.clientOf(address),
      deliver: (gatewayId, delivery) => bus.publish(gatewaySubject(gatewayId), delivery),
      tell: (event) => bus.publish(eventSubject, event),
    });
    rooms = open;
    stack.push('rooms', () => open.closeAll());
    const neighbours: Neighbours = new Neighbours({
      rooms: open,
      clock,
      log,
      silentMs: config.MEDIA_SILENT_MS,
      connect: (address) => createClient(MediaServiceService, address, { secret: config.RPC_SECRET }),
    });
    isAlone = () => !neighbours.hasStaying;
    stack.push('clients of other nodes', () => neighbours.close());
    stack.push('heartbeats of other nodes', bus.subscribe(heartbeatSubject, onHeartbeat({ neighbours, self })));
    stack.push('events of other nodes', bus.subscribe(eventSubject, onRoomEmpty({ rooms: open, self })));

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

    const registry = createRegistry('media-sfu');
    const metrics = createMediaMetrics(registry, open, workers);
    const rpc = await serveRpc({
      listen: config.RPC_LISTEN,
      secret: config.RPC_SECRET,
      log,
      metrics: registry,
      services: [
        rpcService(MediaServiceService, {
          getNode: getNode(dependencies),
          join: join(dependencies),
          moveSocket: moveSocket(dependencies),
          connectTransport: connectTransport(dependencies),
          restartIce: restartIce(dependencies),
          produce: produce(dependencies),
          closeProducer: closeProducer(dependencies),
          setPaused: setPaused(dependencies),
          setView: setView(dependencies),
          resumeConsumers: resumeConsumers(dependencies),
          leave: leave(dependencies),
          closeRoom: closeRoom(dependencies),
          getPeerStats: getPeerStats(dependencies),
          openPipe: openPipe(dependencies),
          setPipedProducer: setPipedProducer(dependencies),
          setPipeDemand: setPipeDemand(dependencies),
        }),
      ],
    });
    self.rpcAddress ||= reachableAddress(config, rpc.port);
    stack.push('rpc', () => rpc.stop());

    const probes = await serveMetrics({
      listen: config.METRICS_LISTEN,
      registry,
      ready: async () => ({
        nats: checkBus(bus),
        workers: { ok: workers.workers.length > 0 },
        draining: { ok: !open.draining },
      }),
    });
    stack.push('metrics', () => probes.stop());

    await workers.measure();
    beat = () => bus.publish(heartbeatSubject, describe());
    beat();
    stack.push('heartbeats', every(config.MEDIA_HEARTBEAT_MS, log, beat));
    stack.push(
      'load',
      every(measureMs, log, () => workers.measure()),
    );
    stack.push(
      'pipes',
      every(checkNeighboursMs, log, () => neighbours.check()),
    );
    stack.push('scores', every(scoreMs, log, tellScores(open)));
    stack.push(
      'statistics',
      every(sampleMs, log, () => metrics.sample()),
    );
    return { rpc: rpc.port, metrics: probes.port };
  };

  /**
   * Meetings sees the mark in the heartbeats and moves everybody as soon as another node is there; who has not gone by the
   * end is moved by our death. Whoever is gone already is not waited for.
   */
  const drain = async () => {
    if (!rooms) return;
    const open = rooms;
    open.drain(() => isAlone());
    beat();
    const until = clock.now().getTime() + drainMsOf(config);
    const gone = Promise.withResolvers<void>();
    const stopWatching = every(drainCheckMs, log, () => {
      if (!open.isMissed || clock.now().getTime() >= until) gone.resolve();
    });
    if (!open.isMissed) gone.resolve();
    await gone.promise;
    await stopWatching();
  };

  return {
    get rooms() {
      return rooms;
    },
    get pool() {
      return pool;
    },
    start: async () => {
      try {
        return await start();
      } catch (error) {
        // What came up before the failure would keep the process alive.
        await stack.stop();
        throw error;
      }
    },
    stop: () =>
      (stopping ??= (async () => {
        await drain();
        await stack.stop();
      })()),
  };
}

/** How others reach this process where nobody said so: a machine's name stands for "every address". */
function reachableAddress({ RPC_LISTEN: { host } }: MediaConfig, port: number): string {
  return addressOf({ host: /^(0\.0\.0\.0|::)$/.test(host) ? hostname() : host, port });
}
