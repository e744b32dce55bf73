import { routes } from '@nolo/api';
import { call } from '../../../api/httpClient.ts';
import { loadConfig } from '../../../session/config.ts';
import { getMediaFrameTransforms } from './frames/mediaFrameTransforms.ts';
import type { MediaDevice } from '@nolo/client/rooms/ports';

// Modules that load one of them need the other.
export { getMediaFrameTransforms };

let loading: Promise<MediaDevice> | undefined;

/**
 * Loads mediasoup-client, ready to join, with the first call or meeting, together with the capabilities of the media
 * nodes. Rejects with `media_unavailable` if there are no nodes. The next caller then retries.
 */
export function loadMediaDevice(): Promise<MediaDevice> {
  loading ??= (async () => {
    const [{ createMediasoupDevice }, { rtpCapabilities }] = await Promise.all([
      import('./mediasoupDevice.ts'),
      call(routes.getMediaCapabilities),
      // The config decides whether frames are transformed.
      loadConfig(),
    ]);
    return createMediasoupDevice(rtpCapabilities, getMediaFrameTransforms());
  })();
  const promise = loading;
  promise.catch(() => {
    if (loading === promise) loading = undefined;
  });
  return promise;
}
