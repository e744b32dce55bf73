import { Counter, Gauge, Histogram, type Registry } from '@nolo/kit/telemetry';
import type { Peer } from '../media/Peer.ts';
import { samplePeer } from '../media/peerStats.ts';
import type { Rooms } from '../media/Rooms.ts';
import type { WorkerPool } from '../media/WorkerPool.ts';

/** Participants sampled at once. A worker answers some thousand queries a second and has more important work. */
const peersAtOnce = 20;

/** Counts what this node holds. */
function countHoldings(registry: Registry, rooms: Rooms): void {
  const registers = [registry];
  const gauge = (name: string, help: string, count: () => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(count());
      },
    });
  const sumOfPeers = (count: (peer: Peer) => number) => () => {
    let sum = 0;
    for (const peer of rooms.peers()) sum += count(peer);
    return sum;
  };
  gauge('nolo_media_rooms', 'Open rooms on this node.', () => rooms.size);
  gauge(
    'nolo_media_peers',
    'Participants on this node.',
    sumOfPeers(() => 1),
  );
  gauge(
    'nolo_media_producers',
    'Tracks sent by participants on this node.',
    sumOfPeers(({ producers }) => producers.size),
  );
  gauge(
    'nolo_media_consumers',
    'Consumers on this node, including paused ones.',
    sumOfPeers(({ consumers }) => consumers.size),
  );
  gauge(
    'nolo_media_consumers_sending',
    'Consumers on this node that are currently sending.',
    sumOfPeers(({ consumers }) => [...consumers.values()].filter(({ sending }) => sending).length),
  );
  gauge(
    'nolo_media_prepared_transports',
    'Prepared transports for people on the pre-join page.',
    () => rooms.preparedTransports,
  );
  new Counter({
    name: 'nolo_media_prepared_transports_total',
    help: 'Prepared transports by outcome: taken or unused.',
    labelNames: ['outcome'] as const,
    registers,
    collect() {
      this.reset();
      for (const outcome of ['taken', 'unused'] as const) this.inc({ outcome }, rooms.outcomes[outcome]);
    },
  });
}

/** Creates the Prometheus metrics and the job that samples participants in turn. */
export function createMediaMetrics(registry: Registry, rooms: Rooms, pool: WorkerPool): { sample(): Promise<void> } {
  const registers = [registry];
  countHoldings(registry, rooms);
  new Counter({
    name: 'nolo_media_worker_restarts_total',
    help: 'Media workers that died and were replaced.',
    registers,
    collect() {
      this.reset();
      this.inc(pool.restarts);
    },
  });
  new Gauge({
    name: 'nolo_media_worker_load',
    help: 'Recent CPU load of each media worker, as a share of one core.',
    labelNames: ['worker'] as const,
    registers,
    collect() {
      this.reset();
      for (const { index, load } of pool.workers) this.set({ worker: String(index) }, load);
    },
  });
  new Counter({
    name: 'nolo_media_paths_total',
    help: 'Participant transports by whether the browser found a path to this node within four seconds.',
    labelNames: ['outcome'] as const,
    registers,
    collect() {
      this.reset();
      for (const outcome of ['found', 'missing'] as const) this.inc({ outcome }, rooms.paths[outcome]);
    },
  });
  const bytes = new Counter({
    name: 'nolo_media_bytes_total',
    help: 'Sampled bytes sent to and received from participants.',
    labelNames: ['direction'] as const,
    registers,
  });
  const loss = new Histogram({
    name: 'nolo_media_packet_loss_ratio',
    help: 'Share of packets lost, by direction as seen by the participant; one sample per participant and round.',
    labelNames: ['direction'] as const,
    buckets: [0, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5],
    registers,
  });
  const jitter = new Histogram({
    name: 'nolo_media_jitter_seconds',
    help: 'Jitter of the media sent by participants, in seconds.',
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25],
    registers,
  });
  const roundTrip = new Histogram({
    name: 'nolo_media_round_trip_seconds',
    help: 'Round-trip time between participants and this node, in seconds.',
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.4, 0.8],
    registers,
  });

  /** Previously counted bytes of each participant. */
  const counted = new WeakMap<Peer, { received: number; sent: number }>();
  let queue: Peer[] = [];

  const sampleOne = async (peer: Peer) => {
    const sample = await samplePeer(peer);
    const before = counted.get(peer) ?? { received: 0, sent: 0 };
    bytes.inc({ direction: 'in' }, Math.max(0, sample.bytesReceived - before.received));
    bytes.inc({ direction: 'out' }, Math.max(0, sample.bytesSent - before.sent));
    counted.set(peer, { received: sample.bytesReceived, sent: sample.bytesSent });
    if (sample.sendBitrate > 0) {
      loss.observe({ direction: 'send' }, sample.sendLoss);
      jitter.observe(sample.jitterMs / 1000);
    }
    if (sample.receiveBitrate > 0) loss.observe({ direction: 'receive' }, sample.receiveLoss);
    if (sample.roundTripMs > 0) roundTrip.observe(sample.roundTripMs / 1000);
  };

  return {
    async sample() {
      if (queue.length === 0) queue = [...rooms.peers()];
      const next = queue.splice(0, peersAtOnce).filter(({ closed }) => !closed);
      // A participant who leaves meanwhile has no statistics.
      await Promise.allSettled(next.map(sampleOne));
    },
  };
}
