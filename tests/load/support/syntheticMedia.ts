import type { types } from 'mediasoup';
import { systemClock } from '@nolo/kit/clock';
import { createLog } from '@nolo/kit/log';
import { provideMediaWorker } from '../../../scripts/mediaWorker/provideMediaWorker.ts';
import { createConsoleProgress } from '../../../scripts/progress.ts';
import { buildRouterRtpCapabilities } from '../../../services/media-sfu/src/media/codecs.ts';
import { Shard } from '../../../services/media-sfu/src/media/Shard.ts';
import { WorkerPool } from '../../../services/media-sfu/src/media/WorkerPool.ts';

/** mediasoup helpers for synthetic participants: RTP described and sent by us instead of by a browser. */

/** Starts one worker with a router, as the media service creates them. */
export async function startMediaRouter(): Promise<{ pool: WorkerPool; pid: number; router: types.Router }> {
  const { binary } = await provideMediaWorker({ progress: createConsoleProgress(process.stdout) });
  const pool = await WorkerPool.start({
    count: 1,
    binary,
    listenIps: ['127.0.0.1'],
    announcedAddress: undefined,
    firstPort: 0,
    pipePorts: { min: 40_000, max: 49_999 },
    clock: systemClock,
    log: createLog({ service: 'load', level: 'warn' }),
  });
  const [worker] = pool.workers;
  if (!worker) throw new Error('No media worker was started.');
  const shard = await Shard.open(worker, { levelsMeasured: () => {}, dominant: () => {}, shardLost: () => {} });
  return { pool, pid: worker.worker.pid, router: shard.router };
}

/** Describes a camera in three layers, distinguished by stream ids: the lowest is `ssrc`, those above count up. */
export function createCameraRtpParameters(ssrc: number): types.RtpParameters {
  return {
    codecs: [
      {
        mimeType: 'video/VP8',
        payloadType: 96,
        clockRate: 90_000,
        rtcpFeedback: [{ type: 'nack' }, { type: 'nack', parameter: 'pli' }],
      },
    ],
    encodings: [0, 1, 2].map((layer) => ({ ssrc: ssrc + layer, scalabilityMode: 'L1T3' })),
    rtcp: { cname: String(ssrc) },
  };
}

/** Describes one layer of a camera, as it is played. */
export function createVideoLayerRtpParameters(ssrc: number): types.RtpParameters {
  return { ...createCameraRtpParameters(ssrc), mid: String(ssrc), encodings: [{ ssrc, scalabilityMode: 'L1T3' }] };
}

/** Describes a microphone that reports its level. */
export function createVoiceRtpParameters(ssrc: number): types.RtpParameters {
  return {
    codecs: [
      {
        mimeType: 'audio/opus',
        payloadType: 111,
        clockRate: 48_000,
        channels: 2,
        parameters: { minptime: 10, useinbandfec: 1, usedtx: 1 },
        rtcpFeedback: [{ type: 'nack' }],
      },
    ],
    headerExtensions: [{ uri: 'urn:ietf:params:rtp-hdrext:ssrc-audio-level', id: 1 }],
    encodings: [{ ssrc, dtx: true }],
    rtcp: { cname: String(ssrc) },
  };
}

/** Capabilities of a client that accepts everything and leaves the bitrate to us. */
export function createCapabilitiesWithoutBandwidthEstimation(): types.RtpCapabilities {
  const capabilities = buildRouterRtpCapabilities();
  for (const codec of capabilities.codecs ?? []) {
    codec.rtcpFeedback = (codec.rtcpFeedback ?? []).filter(({ type }) => !/^(transport-cc|goog-remb)$/.test(type));
  }
  return capabilities;
}
