import { randomUUID } from 'node:crypto';
import { eventually } from '@nolo/testing';
import { buildRouterRtpCapabilities } from '../src/media/codecs.ts';
import type { Peer } from '../src/media/Peer.ts';
import { samplePeer } from '../src/media/peerStats.ts';
import { startMedia, type TestMedia, type TestNode } from './startMedia.ts';
import { openCamera } from './rtp.ts';

let media: TestMedia;
let node: TestNode;
beforeAll(async () => {
  media = await startMedia();
  node = await media.startNode({ MEDIA_WORKERS: '1' });
});
afterAll(() => media.stop());

/** Builds a report (RFC 3550, 6.4.2) that the receiver of `ssrc` lost `lost` 256ths of it since the last report. */
function receiverReport(ssrc: number, lost: number): Buffer {
  const report = Buffer.alloc(32);
  report.writeUInt8(0x81, 0);
  report.writeUInt8(201, 1);
  report.writeUInt16BE(7, 2);
  report.writeUInt32BE(ssrc, 8);
  report.writeUInt8(lost, 12);
  report.writeUInt8(lost, 15);
  return report;
}

/** Stream of packets that only probe the bandwidth. */
const probingSsrc = 1234;

test("packet loss counts, but a worker's bandwidth probes do not", async () => {
  const roomId = randomUUID();
  const { participantId } = await node.join(roomId);
  const camera = await openCamera(node.room(roomId), participantId);
  const { router } = node.room(roomId).peers.get(participantId)!.shard;
  const transport = await router.createDirectTransport();
  const consumer = await transport.consume({
    producerId: camera.producer.id,
    rtpCapabilities: buildRouterRtpCapabilities(),
  });
  const side = { transport };
  const receiver = {
    send: side,
    receive: side,
    producers: new Map(),
    consumers: new Map([[consumer.id, { consumer, sending: true, degraded: false }]]),
  } as unknown as Peer;
  const ssrc = consumer.rtpParameters.encodings?.[0]?.ssrc ?? 0;
  const lossAfter = async (...reports: Buffer[]) => {
    for (const report of reports) transport.sendRtcp(report);
    return (await samplePeer(receiver)).receiveLoss;
  };
  await eventually(async () => (await samplePeer(receiver)).receiveBitrate > 0);
  expect(await lossAfter(receiverReport(ssrc, 0), receiverReport(probingSsrc, 128))).toBe(0);
  await eventually(async () => (await lossAfter(receiverReport(ssrc, 128))) === 0.5);
  camera.stop();
  transport.close();
});
