/** Measures the media worker's CPU per forwarded packet, against a bare `sendto` of the same packets. */
import { mkdtempSync, rmSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { types } from 'mediasoup';
import { limits } from '@nolo/rules';
import { describeConditions, readCpuMs, median, printTable, printLine } from './support/measure.ts';
import {
  createCameraRtpParameters,
  createCapabilitiesWithoutBandwidthEstimation,
  startMediaRouter,
} from './support/syntheticMedia.ts';
import { buildUdpProgram, UdpProcess } from './support/udp.ts';

const pairs = Number(process.argv[2] ?? 7);
const seconds = 6;
const people = 20;
/** Packets per second of a camera, and their size: a video of 180 to 360 lines. */
const rate = 100;
const bytes = 1000;

/** Lists the page of other participants that each one sees. */
const seenBy = (viewer: number) =>
  Array.from({ length: limits.visibleTiles }, (_, tile) => (viewer + 1 + tile) % people);

/**
 * Simulates a meeting in which each participant sends a camera and sees a page of others. Packets arrive at the ports
 * of the sink.
 */
class Meeting {
  readonly #consumers: types.Consumer[] = [];
  readonly #source: UdpProcess;

  private constructor(source: UdpProcess) {
    this.#source = source;
  }

  static async open(router: types.Router, program: string, ports: readonly number[], srtp: boolean): Promise<Meeting> {
    const listenInfo = { protocol: 'udp', ip: '127.0.0.1' } as const;
    const streams: string[] = [];
    const producers: types.Producer[] = [];
    for (let sender = 0; sender < people; sender += 1) {
      const ssrc = 10_000 + sender * 10;
      const transport = await router.createPlainTransport({ listenInfo, comedia: true });
      producers.push(await transport.produce({ kind: 'video', rtpParameters: createCameraRtpParameters(ssrc) }));
      streams.push(`${ssrc}:${transport.tuple.localPort}`);
    }
    const meeting = new Meeting(new UdpProcess(program, ['send', String(bytes), String(rate), ...streams]));
    for (let viewer = 0; viewer < people; viewer += 1) {
      const transport = await router.createPlainTransport({
        listenInfo,
        enableSrtp: srtp,
        srtpCryptoSuite: 'AEAD_AES_256_GCM',
      });
      await transport.connect({
        ip: '127.0.0.1',
        port: ports[viewer] ?? 0,
        ...(srtp && {
          srtpParameters: { cryptoSuite: 'AEAD_AES_256_GCM', keyBase64: randomBytes(44).toString('base64') },
        }),
      });
      for (const sender of seenBy(viewer)) {
        const consumer = await transport.consume({
          producerId: producers[sender]?.id ?? '',
          rtpCapabilities: createCapabilitiesWithoutBandwidthEstimation(),
          enableRtx: true,
        });
        await consumer.setPreferredLayers({ spatialLayer: 0, temporalLayer: 2 });
        meeting.#consumers.push(consumer);
      }
    }
    return meeting;
  }

  /** Returns the number of packets that the worker has forwarded so far. */
  async forwarded(): Promise<number> {
    const stats = await Promise.all(this.#consumers.map(async (consumer) => await consumer.getStats()));
    return stats
      .flat()
      .filter(({ type }) => type === 'outbound-rtp')
      .reduce((sum, { packetCount }) => sum + packetCount, 0);
  }

  async run(): Promise<void> {
    await this.#source.sendCommand(String(seconds));
  }

  stop(): void {
    this.#source.stop();
  }
}

interface Cost {
  packets: number;
  /** CPU time per packet. */
  microseconds: number;
}

async function costOf(pid: number, work: () => Promise<void>, packets: () => Promise<number>): Promise<Cost> {
  const [before, from] = [await packets(), readCpuMs(pid)];
  await work();
  const sent = (await packets()) - before;
  return { packets: sent, microseconds: ((readCpuMs(pid) - from) * 1000) / sent };
}

const folder = mkdtempSync(join(tmpdir(), 'nolo-load-'));
const processes: { stop(): unknown }[] = [];
process.once('disconnect', () => process.exit(129));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
try {
  const program = buildUdpProgram(folder);
  const { pool, pid, router } = await startMediaRouter();
  processes.push(pool);
  const sink = new UdpProcess(program, ['sink', String(people)]);
  processes.push(sink);
  const ports = (await sink.readLine()).split(' ').map(Number);
  const plain = await Meeting.open(router, program, ports, false);
  const srtp = await Meeting.open(router, program, ports, true);
  const groups = Array.from({ length: people }, (_, sender) => {
    const viewers = ports.filter((_port, viewer) => seenBy(viewer).includes(sender));
    return `${sender + 1}:${viewers.join(',')}`;
  });
  const bare = new UdpProcess(program, ['send', String(bytes), String(rate), ...groups]);
  processes.push(plain, srtp, bare);

  printLine(
    `\nCPU per forwarded packet: ${people} cameras, each seen by ${limits.visibleTiles} participants, ${people * limits.visibleTiles * rate} packets of ${bytes} bytes a second\n${describeConditions()}`,
  );
  let bareSent = 0;
  const bareRound = async () => {
    bareSent += await bare.sendCommand(String(seconds));
  };
  const arrived = async () => await sink.sendCommand('count');
  // Warms up code and caches, and starts the worker's streams.
  for (const work of [bareRound, () => plain.run(), () => srtp.run()]) await work();

  const rows: (string | number)[][] = [];
  const ratios: Record<'plain' | 'srtp', number[]> = { plain: [], srtp: [] };
  for (let pair = 1; pair <= pairs; pair += 1) {
    const came = await arrived();
    const limit = await costOf(bare.pid, bareRound, () => Promise.resolve(bareSent));
    const open = await costOf(
      pid,
      () => plain.run(),
      () => plain.forwarded(),
    );
    const closed = await costOf(
      pid,
      () => srtp.run(),
      () => srtp.forwarded(),
    );
    const sent = limit.packets + open.packets + closed.packets;
    ratios.plain.push(open.microseconds / limit.microseconds);
    ratios.srtp.push(closed.microseconds / limit.microseconds);
    rows.push([
      String(pair),
      limit.microseconds,
      open.microseconds,
      open.microseconds / limit.microseconds,
      closed.microseconds,
      closed.microseconds / limit.microseconds,
      `${((((await arrived()) - came) / sent) * 100).toFixed(2)} %`,
    ]);
  }
  printTable(['pair', 'sendto µs', 'worker, RTP µs', 'ratio', 'worker, SRTP µs', 'ratio', 'arrived'], rows);
  printLine(
    `Median ratio ${median(ratios.plain).toFixed(2)} without encryption, ${median(ratios.srtp).toFixed(2)} with it (target 1.4).`,
  );
  printLine(
    'sendto: a loop in C that writes the same packets to the same sockets at the same times, from one socket. The worker receives each packet once and sends it twelve times, from a simulcast consumer that can retransmit; it uses plain transports, so there is no ICE or bandwidth estimation. SRTP is AES-256-GCM towards receivers, as in browsers; incoming media is not encrypted. CPU is user and system time of the process, from /proc/<pid>/stat. RTCP reports count among the arrived packets.',
  );
  printLine(describeConditions());
} finally {
  for (const one of processes.toReversed()) await one.stop();
}
// Open handles of an interrupted run must not keep the process alive.
process.exit();
