import { routes } from '@nolo/api';
import { call } from '../../../api/httpClient.ts';
import { loadConfig } from '../../../session/config.ts';
import { mediaFrames } from './frames/mediaFrames.ts';
import type { MediaDevice } from './ports.ts';

// Whoever loads one of them needs the other.
export { mediaFrames };

let loading: Promise<MediaDevice> | undefined;

/**
 * mediasoup-client, ready to join: it comes over the line with the first call or meeting, together with what the media
 * nodes send and take. Rejects with `media_unavailable` while there are none, and the next caller asks again.
 */
export function loadRoomMedia(): Promise<MediaDevice> {
  loading ??= (async () => {
    const [{ loadDevice }, { rtpCapabilities }] = await Promise.all([
      import('./mediasoupDevice.ts'),
      call(routes.getMediaCapabilities),
      // Says whether frames are worked on.
      loadConfig(),
    ]);
    return loadDevice(rtpCapabilities, mediaFrames());
  })();
  const asked = loading;
  asked.catch(() => {
    if (loading === asked) loading = undefined;
  });
  return asked;
}
