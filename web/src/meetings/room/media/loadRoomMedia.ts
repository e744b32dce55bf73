import { routes } from '@nolo/api';
import { call } from '../../../api/httpClient.ts';
import { loadConfig } from '../../../session/config.ts';
import { mediaFrames } from './frames/mediaFrames.ts';
import type { MediaDevice } from './ports.ts';

// Modules that load one of them need the other.
export { mediaFrames };

let loading: Promise<MediaDevice> | undefined;

/**
 * Loads mediasoup-client, ready to join, with the first call or meeting, together with the capabilities of the media
 * nodes. Rejects with `media_unavailable` if there are no nodes. The next caller then retries.
 */
export function loadRoomMedia(): Promise<MediaDevice> {
  loading ??= (async () => {
    const [{ loadDevice }, { rtpCapabilities }] = await Promise.all([
      import('./mediasoupDevice.ts'),
      call(routes.getMediaCapabilities),
      // The config decides whether frames are transformed.
      loadConfig(),
    ]);
    return loadDevice(rtpCapabilities, mediaFrames());
  })();
  const promise = loading;
  promise.catch(() => {
    if (loading === promise) loading = undefined;
  });
  return promise;
}
