import type { PeerStats } from '@nolo/proto/media';
import type { types } from 'mediasoup';
import type { Peer } from './Peer.ts';
import type { PeerConsumer } from './PeerConsumer.ts';
import { toMediaError } from './refusal.ts';

/** Statistics for the client and for the totals. */
export interface PeerSample extends PeerStats {
  bytesReceived: number;
  bytesSent: number;
}

const clockRates: Readonly<Record<string, number>> = { audio: 48_000, video: 90_000 };

interface Weighted {
  value: number;
  weight: number;
}

function average(values: readonly Weighted[]): number {
  const weight = values.reduce((sum, one) => sum + one.weight, 0);
  return weight === 0 ? 0 : values.reduce((sum, one) => sum + one.value * one.weight, 0) / weight;
}

const lossOf = (stat: types.ProducerStat | types.ConsumerStat): Weighted => ({
  // RTCP reports loss in 256ths.
  value: stat.fractionLost / 256,
  weight: stat.bitrate,
});

/** Queries the worker for a participant's transports, its producers, and what is sent to it now. */
export async function samplePeer(peer: Peer): Promise<PeerSample> {
  const sending = [...peer.producers.values()];
  const receiving = [...peer.consumers.values()].filter((one) => one.sending);
  try {
    const [[send], [receive], sent, received] = await Promise.all([
      peer.send.transport.getStats(),
      peer.receive.transport.getStats(),
      Promise.all(sending.map((producer) => producer.getStats().catch(() => []))),
      Promise.all(receiving.map(({ consumer }) => consumer.getStats().catch(() => []))),
    ]);
    const inbound = sent.flat();
    const outbound = received.flat().filter((stat) => stat.type === 'outbound-rtp');
    const roundTrips = [...inbound, ...outbound].flatMap(({ roundTripTime }) => (roundTripTime ? [roundTripTime] : []));
    return {
      sendLoss: average(inbound.map(lossOf)),
      receiveLoss: average(outbound.map(lossOf)),
      jitterMs: average(
        inbound.map(({ jitter, kind, bitrate }) => ({
          value: (jitter / (clockRates[kind] ?? 90_000)) * 1000,
          weight: bitrate,
        })),
      ),
      roundTripMs: roundTrips.length === 0 ? 0 : roundTrips.reduce((sum, one) => sum + one, 0) / roundTrips.length,
      sendBitrate: send?.rtpRecvBitrate ?? 0,
      receiveBitrate: receive?.rtpSendBitrate ?? 0,
      availableBitrate: receive?.availableOutgoingBitrate,
      degradedConsumers: receiving.filter((one) => one.degraded).length,
      bytesReceived: (send?.bytesReceived ?? 0) + (receive?.bytesReceived ?? 0),
      bytesSent: (send?.bytesSent ?? 0) + (receive?.bytesSent ?? 0),
    };
  } catch (error) {
    throw toMediaError(error, peer.receive.transport);
  }
}

export interface PeerScores {
  /** Score from 0 to 10, as mediasoup defines it. 10 if nothing is sent or received. */
  readonly send: number;
  readonly receive: number;
  /** IDs of participants whose media reaches this node in poor quality. */
  readonly poor: readonly string[];
}

/** Score below which a sender's video or audio visibly suffers. */
const poorScore = 5;

/** Returns true if the sender's own connection is poor. Streams that are not sent now are ignored. */
function leftBadly({ track, sending, consumer }: PeerConsumer): boolean {
  if (!sending || track.source === 'screen_audio') return false;
  const best = Math.max(0, ...consumer.score.producerScores);
  return best > 0 && best < poorScore;
}

export function computeScores(peer: Peer): PeerScores {
  const send = [...peer.producers.values()]
    // Videos that nobody views are not sent, and producers that never sent have no score.
    .filter((producer) => !producer.paused && producer.score.length > 0 && peer.isRequested(producer))
    // Layers that are not sent do not count.
    .map(({ score }) => Math.max(...score.map((one) => one.score)));
  const receive = [...peer.consumers.values()].filter((one) => one.sending).map(({ consumer }) => consumer.score.score);
  const poor = new Set([...peer.consumers.values()].filter(leftBadly).map(({ track }) => track.participantId));
  return { send: Math.min(10, ...send), receive: Math.min(10, ...receive), poor: [...poor].sort() };
}
