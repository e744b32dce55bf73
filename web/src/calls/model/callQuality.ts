/** Sample of a call's media. Loss is a share from 0 to 1, rates are bits per second. */
export interface QualitySample {
  at: number;
  loss: number;
  roundTripMs: number;
  sendBitrate: number;
  receiveBitrate: number;
}

/** Running totals; two of them make a sample. */
export interface MediaTotals {
  at: number;
  sentBytes: number;
  receivedBytes: number;
  receivedPackets: number;
  lostPackets: number;
  roundTripMs: number;
}

interface Stat {
  type?: string;
  bytesSent?: number;
  bytesReceived?: number;
  packetsReceived?: number;
  packetsLost?: number;
  nominated?: boolean;
  state?: string;
  currentRoundTripTime?: number;
}

/** Adds up a browser's report (RTCStatsReport). */
export function totalsOf(report: Iterable<unknown>, at: number): MediaTotals {
  const totals: MediaTotals = {
    at,
    sentBytes: 0,
    receivedBytes: 0,
    receivedPackets: 0,
    lostPackets: 0,
    roundTripMs: 0,
  };
  for (const entry of report) {
    const stat = entry as Stat;
    if (stat.type === 'outbound-rtp') totals.sentBytes += stat.bytesSent ?? 0;
    if (stat.type === 'inbound-rtp') {
      totals.receivedBytes += stat.bytesReceived ?? 0;
      totals.receivedPackets += stat.packetsReceived ?? 0;
      totals.lostPackets += Math.max(0, stat.packetsLost ?? 0);
    }
    if (stat.type === 'candidate-pair' && stat.nominated === true && stat.state === 'succeeded') {
      totals.roundTripMs = Math.max(totals.roundTripMs, (stat.currentRoundTripTime ?? 0) * 1_000);
    }
  }
  return totals;
}

/** Returns the difference of two totals; null if they are of different connections or the same moment. */
export function sampleBetween(before: MediaTotals, after: MediaTotals): QualitySample | null {
  const seconds = (after.at - before.at) / 1_000;
  const sent = after.sentBytes - before.sentBytes;
  const received = after.receivedBytes - before.receivedBytes;
  if (seconds <= 0 || sent < 0 || received < 0) return null;
  const lost = Math.max(0, after.lostPackets - before.lostPackets);
  const arrived = Math.max(0, after.receivedPackets - before.receivedPackets);
  return {
    at: after.at,
    loss: lost + arrived === 0 ? 0 : lost / (lost + arrived),
    roundTripMs: after.roundTripMs,
    sendBitrate: (sent * 8) / seconds,
    receiveBitrate: (received * 8) / seconds,
  };
}

/** Two minutes of samples. */
export const maxQualitySamples = 60;
export const sampleEveryMs = 2_000;

export function withSample(samples: readonly QualitySample[], sample: QualitySample): QualitySample[] {
  return [...samples, sample].slice(-maxQualitySamples);
}
