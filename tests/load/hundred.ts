/**
 * Measures a meeting of a hundred with cameras on: the cost for the media worker, and what two participants see in
 * Chromium.
 */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Headless } from '@nolo/testing';
import type { Page } from 'playwright-core';
import { provideMediaWorker } from '../../scripts/mediaWorker/provideMediaWorker.ts';
import { cameraLayers, recordCamera } from './support/SyntheticCamera.ts';
import { forkSyntheticParticipants, forkMediaNode } from './support/forks.ts';
import { measureOnStack, type LoadStack } from './support/loadStack.ts';
import { readCpuMs, countDroppedPackets, printTable, printLine } from './support/measure.ts';
import { createLoadPeople } from './support/people.ts';
import { enterMeeting, openLoadBrowserUser, openReadyPreJoin, startBrowsers } from './support/browserUsers.ts';

const total = Number(process.argv[2] ?? 100);
const framerate = Number(process.argv[3] ?? 15);
const measuredSeconds = Number(process.argv[4] ?? 60);
/** Processes that share the synthetic participants, each with its own media worker. */
const processes = Number(process.argv[5] ?? 1);
/** Synthetic participants with a microphone; the others are muted, as most are in a meeting of a hundred. */
const microphones = Number(process.argv[6] ?? 12);
/** Witnesses in Chromium. */
const witnessCount = Number(process.argv[7] ?? 2);
const settleSeconds = 15;
/** Slow cameras of the witnesses, because they are not measured and a machine without a GPU is busy enough. */
const witnessCamera = '--use-fake-device-for-media-stream=fps=5';
const probe = join(import.meta.dirname, 'support/browser/statsProbe.js');
const secret = randomBytes(24).toString('hex');

type Stats = Record<'audio' | 'video', Record<string, number>>;

/** Video that reached a witness's screen, as `statsProbe.js` counts it. */
interface Shown {
  videos: number;
  pictures: number;
  freezes: number;
  frozenMs: number;
  longestMs: number;
}

/** Starts the synthetic participants in as many processes as requested. */
async function openSyntheticParticipants(recording: Awaited<ReturnType<typeof recordCamera>>) {
  const participantProcesses = Array.from({ length: processes }, () => forkSyntheticParticipants());
  const workers: number[] = [];
  for (const participantProcess of participantProcesses)
    workers.push((await participantProcess.ask({ ask: 'open', recording, framerate })).pid ?? 0);
  const sum = (pids: readonly number[]) => pids.reduce((all, pid) => all + readCpuMs(pid), 0);
  return {
    /** All join. Returns their participant ids. */
    async join(url: string, tokens: readonly string[], roomCode: string, nodeUrl: string): Promise<string[]> {
      const share = Math.ceil(tokens.length / processes);
      const joined = await Promise.all(
        participantProcesses.map(async (participantProcess, index) => {
          const own = tokens.slice(index * share, (index + 1) * share);
          return (await participantProcess.ask({ ask: 'join', url, tokens: own, roomCode, nodeUrl })).ids ?? [];
        }),
      );
      return joined.flat();
    },
    /** Each sends, sees the page of the twelve who joined after it, and plays. */
    async meet(all: readonly string[]): Promise<void> {
      await Promise.all(
        participantProcesses.map(
          async (participantProcess) => await participantProcess.ask({ ask: 'send', all, microphones }),
        ),
      );
      await Promise.all(
        participantProcesses.map(async (participantProcess) => await participantProcess.ask({ ask: 'view', all })),
      );
      // Playing starts last, because pending requests would wait behind the media of the others.
      await Promise.all(
        participantProcesses.map(async (participantProcess) => await participantProcess.ask({ ask: 'play' })),
      );
    },
    workersCpuMs: () => sum(workers),
    dropped: () => workers.reduce((all, pid) => all + countDroppedPackets(pid), 0),
    processesCpuMs: () => sum(participantProcesses.map(({ pid }) => pid)),
    async received() {
      const answers = await Promise.all(
        participantProcesses.map(async (participantProcess) => await participantProcess.ask({ ask: 'received' })),
      );
      const total = (kind: 'audio' | 'video') => {
        const add = (name: 'packets' | 'lost' | 'repaired') =>
          answers.reduce((all, one) => all + (one[kind]?.[name] ?? 0), 0);
        return { packets: add('packets'), lost: add('lost'), repaired: add('repaired') };
      };
      const played = answers.reduce((all, one) => all + (one.played ?? 0), 0) / participantProcesses.length;
      return { video: total('video'), audio: total('audio'), played };
    },
    async stop(): Promise<void> {
      await Promise.all(
        participantProcesses.map(async (participantProcess) => await participantProcess.ask({ ask: 'stop' })),
      );
      for (const participantProcess of participantProcesses) participantProcess.stop();
    },
  };
}

async function startMediaNode(stack: LoadStack) {
  const { binary } = await provideMediaWorker();
  const node = forkMediaNode();
  const pid = await node.ask({
    ask: 'start',
    variables: {
      NOLO_MODE: 'demo',
      LOG_LEVEL: 'warn',
      NATS_URL: stack.backing.natsUrl,
      NATS_PREFIX: stack.natsPrefix,
      RPC_LISTEN: '127.0.0.1:0',
      RPC_SECRET: secret,
      METRICS_LISTEN: '127.0.0.1:0',
      MEDIA_PORT: '0',
      MEDIA_WORKERS: '1',
      MEDIASOUP_WORKER_BIN: binary,
    },
  });
  return { node, pid };
}

/** Formats what a page received and showed since the earlier measurement, as columns of a table. */
function columns(before: Stats, after: Stats, shown: Shown): (string | number)[] {
  const since = (kind: 'audio' | 'video', name: string) => (after[kind][name] ?? 0) - (before[kind][name] ?? 0);
  const concealed = since('audio', 'concealedSamples') - since('audio', 'silentConcealedSamples');
  return [
    String(shown.videos),
    since('video', 'framesDecoded') / measuredSeconds,
    since('video', 'framesDropped') / measuredSeconds,
    shown.pictures / measuredSeconds,
    String(shown.freezes),
    shown.frozenMs / 1000,
    shown.longestMs,
    since('audio', 'packetsReceived') / measuredSeconds,
    `${((concealed / Math.max(1, since('audio', 'totalSamplesReceived'))) * 100).toFixed(3)} %`,
  ];
}

async function measure(stack: LoadStack): Promise<void> {
  const people = await createLoadPeople(stack, total);
  const [host, ...others] = people.map(({ tokens }) => tokens[0] ?? '');
  const { body } = await new Headless(stack.url, host ?? '').call('POST', '/api/meetings/create', {
    name: 'A hundred',
    maxParticipants: Math.max(total, 2),
  });
  const { roomCode } = body as { roomCode: string };
  const browsers = await startBrowsers(witnessCount, [witnessCamera]);
  const { node, pid } = await startMediaNode(stack);
  const page = browsers[0];
  if (!page) throw new Error('The browsers did not start.');
  const recording = await recordCamera(page, stack.url.replace('127.0.0.1', 'localhost'), framerate);
  const participants = await openSyntheticParticipants(recording);
  const nodeUrl = `http://127.0.0.1:${await node.ask({ ask: 'address' })}`;
  // The browsers join first: next to a hundred others, they have no CPU left for it.
  await node.ask({ ask: 'synthetic', on: false });
  const witnesses: Page[] = [];
  for (const [index, browser] of browsers.entries()) {
    const visitor = await openLoadBrowserUser(browser, stack.url, [host, ...others][index] ?? '', { script: probe });
    const room = await visitor.openPage();
    await openReadyPreJoin(room, roomCode);
    await enterMeeting(room);
    witnesses.push(room);
  }
  await node.ask({ ask: 'synthetic', on: true });
  const began = performance.now();
  const all = await participants.join(stack.url, others.slice(witnessCount - 1), roomCode, nodeUrl);
  // A browser that lost its connection rejoins as a browser, not as a synthetic participant.
  await node.ask({ ask: 'synthetic', on: false });
  await participants.meet(all);
  const size = all.length;
  printLine(
    `${size} synthetic participants were in the room after ${Math.round((performance.now() - began) / 1000)} s.`,
  );
  await sleep(settleSeconds * 1000);

  const readStats = async (): Promise<Stats[]> =>
    await Promise.all(witnesses.map(async (room) => await room.evaluate<Stats>('received()')));
  const usage = (): Record<string, number> => ({
    'media worker': readCpuMs(pid),
    'media-sfu without its worker': readCpuMs(node.pid),
    meetings: readCpuMs(stack.pid('meetings')),
    gateway: readCpuMs(stack.pid('gateway')),
    'media workers of the synthetic participants': participants.workersCpuMs(),
    'their cameras, microphones and sockets': participants.processesCpuMs(),
  });
  const counted = async () => ({
    ...(await participants.received()),
    dropped: countDroppedPackets(pid),
    droppedByParticipants: participants.dropped(),
  });
  const before = await counted();
  const seen = await readStats();
  const begun = await Promise.all(witnesses.map(async (room) => await room.evaluate<number>('performance.now()')));
  const [from, cpu] = [performance.now(), usage()];
  await sleep(measuredSeconds * 1000);
  const [elapsed, cpuAfter] = [performance.now() - from, usage()];
  const shown = await Promise.all(
    witnesses.map(async (room, index) => await room.evaluate<Shown>(`shownSince(${begun[index] ?? 0})`)),
  );
  const seenAfter = await readStats();
  const after = await counted();

  printTable(
    ['CPU', 'cores'],
    Object.entries(cpuAfter).map(([name, ms]) => [name, (ms - (cpu[name] ?? 0)) / elapsed]),
  );
  printTable(
    ['received by synthetic participants', 'packets', 'repaired', 'lost', 'share lost'],
    (['video', 'audio'] as const).map((kind) => {
      const packets = after[kind].packets - before[kind].packets;
      const lost = after[kind].lost - before[kind].lost;
      const repaired = after[kind].repaired - before[kind].repaired;
      return [
        kind,
        String(packets),
        String(repaired),
        String(lost),
        `${((lost / (packets + lost)) * 100).toFixed(4)} %`,
      ];
    }),
  );
  printLine(
    `Their cameras played ${((after.played - before.played) / measuredSeconds).toFixed(1)} frames a second. Sockets had no room for ${after.dropped - before.dropped} packets to the media worker, and for ${after.droppedByParticipants - before.droppedByParticipants} to the synthetic participants.`,
  );
  const nothing: Shown = { videos: 0, pictures: 0, freezes: 0, frozenMs: 0, longestMs: 0 };
  printTable(
    [
      'in Chromium',
      'videos on the page',
      'pictures decoded/s',
      'dropped/s',
      'shown/s',
      'freezes',
      'frozen s',
      'longest gap ms',
      'audio packets/s',
      'concealed',
    ],
    witnesses.map((_, index) => [
      `witness ${index + 1}`,
      ...columns(
        seen[index] ?? { audio: {}, video: {} },
        seenAfter[index] ?? { audio: {}, video: {} },
        shown[index] ?? nothing,
      ),
    ]),
  );
  const rates = cameraLayers.map(({ height, bitrate }) => `${height} lines at ${bitrate / 1000} kbit/s`).join(', ');
  printLine(
    `${size} of the ${total} are synthetic, in ${processes} processes: they sign in and signal over the gateway as browsers do, and send and receive SRTP (AES-256-GCM) over plain transports instead of WebRTC, without ICE and DTLS. Each sends recorded VP8 at ${framerate} frames a second in three layers (${rates}) and omits layers that nobody watches; ${microphones} send Opus with levels, of whom three of six speak at a time while the others are silent with DTX, and everyone else is muted. Each sees a page of twelve in the lowest layer, hears the three loudest, and reports to the bandwidth estimation. The others are Chromium, without a GPU, with cameras of 5 frames a second. One media worker; measured for ${measuredSeconds} s. Packets that the synthetic participants lost were not repaired by retransmission either. The synthetic participants run at a lower priority than everything else. Freezes of the witnesses are counted from the frames that reached their screens, not from their own loss counters.`,
  );
  await participants.stop();
  node.stop();
  await Promise.all(browsers.map(async (browser) => await browser.close()));
}

await measureOnStack('A meeting of a hundred with cameras on', measure, { web: true, env: { RPC_SECRET: secret } });
