import { errors, ortc, type types } from 'mediasoup';
import { isClosedError, toMediaError } from './refusal.ts';
import type { Shard } from './Shard.ts';
import type { Track } from './Track.ts';

/**
 * Validates a client's capabilities, because invalid ones would fail with every consumer.
 *
 * @throws media_invalid
 */
export function checkCapabilities(rtpCapabilities: types.RtpCapabilities, { router }: Shard): void {
  try {
    ortc.validateAndNormalizeRtpCapabilities(structuredClone(rtpCapabilities));
  } catch (error) {
    throw toMediaError(error, router, true);
  }
}

/**
 * Creates a paused consumer. Undefined if the track or transport ended meanwhile, or the client supports none of its
 * codecs.
 */
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
    // Objects that closed meanwhile are reported elsewhere.
    if (!(error instanceof errors.UnsupportedError) && !transport.closed && !isClosedError(track.producer, error))
      throw error;
  }
  return undefined;
}
