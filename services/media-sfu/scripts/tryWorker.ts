import { createWorker, type types } from 'mediasoup';

/**
 * Proves that a worker works with this version of mediasoup: starts it, creates two routers, and sends an Opus packet
 * from one to the other over SRTP, which encrypts and decrypts it.
 *
 *   node services/media-sfu/scripts/tryWorker.ts <path of a mediasoup-worker>
 */
const mediaCodecs: types.RouterRtpCodecCapability[] = [
  { kind: 'audio', mimeType: 'audio/opus', clockRate: 48000, channels: 2 },
  { kind: 'video', mimeType: 'video/VP8', clockRate: 90000 },
];
const ssrc = 0x4e6f6c6f;

/** Builds a 12-byte header (version 2, payload type 111) and a payload. */
function rtpPacket(sequence: number): Buffer {
  const packet = Buffer.alloc(20, 0x2a);
  packet.writeUInt16BE(0x806f, 0);
  packet.writeUInt16BE(sequence, 2);
  packet.writeUInt32BE(sequence * 960, 4);
  packet.writeUInt32BE(ssrc, 8);
  return packet;
}

async function tryWorker(workerBin: string): Promise<void> {
  const worker = await createWorker({ workerBin, logLevel: 'error' });
  const died = new Promise<never>((_, reject) => {
    worker.once('died', reject);
  });
  try {
    await Promise.race([carryPacket(worker), died]);
  } finally {
    worker.close();
  }
}

async function carryPacket(worker: types.Worker): Promise<void> {
  const [near, far] = [await worker.createRouter({ mediaCodecs }), await worker.createRouter({ mediaCodecs })];
  const sender = await near.createDirectTransport();
  const receiver = await far.createDirectTransport();
  const producer = await sender.produce({
    kind: 'audio',
    rtpParameters: {
      codecs: [{ mimeType: 'audio/opus', payloadType: 111, clockRate: 48000, channels: 2 }],
      encodings: [{ ssrc }],
    },
  });
  const { pipeProducer } = await near.pipeToRouter({
    producerId: producer.id,
    router: far,
    enableSrtp: true,
    // The two ends share a worker, which accepts each ID once.
    keepId: false,
  });
  if (pipeProducer === undefined) throw new Error('The routers could not be connected.');
  const consumer = await receiver.consume({ producerId: pipeProducer.id, rtpCapabilities: far.rtpCapabilities });
  const arrived = new Promise<void>((resolve, reject) => {
    consumer.on('rtp', (packet) => {
      if (packet.subarray(-8).equals(rtpPacket(0).subarray(-8))) resolve();
      else reject(new Error('A packet arrived with different content than was sent.'));
    });
  });
  let sequence = 0;
  const sending = setInterval(() => {
    producer.send(rtpPacket((sequence += 1)));
  }, 20);
  const timeout = setTimeout(() => {
    process.stderr.write('No packet arrived.\n');
    process.exit(1);
  }, 10_000);
  try {
    await arrived;
  } finally {
    clearInterval(sending);
    clearTimeout(timeout);
  }
}

const binary = process.argv[2];
try {
  if (binary === undefined) throw new Error('Pass the path of a mediasoup-worker.');
  await tryWorker(binary);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
