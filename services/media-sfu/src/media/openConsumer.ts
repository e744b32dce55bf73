import { errors, ortc, type types } from 'mediasoup';
import { isOver, refusalOf } from './refusal.ts';
import type { Shard } from './Shard.ts';
import type { Track } from './Track.ts';

/**
 * What cannot be read of a client's capabilities would fail with every single consumer.
 *
 * @throws media_invalid
 */
export function checkCapabilities(rtpCapabilities: types.RtpCapabilities, { router }: Shard): void {
  try {
    ortc.validateAndNormalizeRtpCapabilities(structuredClone(rtpCapabilities));
  } catch (error) {
    throw refusalOf(error, router, true);
  }
}

/** A paused consumer; undefined where the track or the transport ended meanwhile, or the client knows no codec of it. */
export async function openConsumer(
  track: Track,
  shard: Shard,
  transport: types.Transport,
  rtpCapabilities: types.RtpCapabilities,
): Promise<types.Consumer | undefined> {
  const ended = () => track.closed || transport.closed;
  try {
    await shard.bring(track);
    if (ended()) return undefined;
    const consumer = await transport.consume({ producerId: track.id, rtpCapabilities, paused: true, enableRtx: true });
    if (!ended()) return consumer;
    consumer.close();
  } catch (error) {
    // What was closed on the way is told by whoever closed it.
    if (!(error instanceof errors.UnsupportedError) && !transport.closed && !isOver(track.producer, error)) throw error;
  }
  return undefined;
}
