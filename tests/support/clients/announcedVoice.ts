import type { MediaSession } from '@nolo/api';
import type {
  LinkState,
  MediaDevice,
  MediaLink,
  MediaLinkHost,
  MediaTrack,
  OwnDevices,
} from '@nolo/client/rooms/ports';
import { createVoiceParameters, testRtpCapabilities } from '../authorization/meetingCast.ts';

/** Ports of a room to media that Node does not have: a voice is announced but never sounds, and nothing is heard. */

const ignore = () => undefined;
const silence: MediaTrack = { stop: ignore, addEventListener: ignore };

/** Microphone that hears nothing. */
export const silentDevices: OwnDevices = {
  open: async () => silence,
  close: ignore,
  shareScreen: () => Promise.reject(new Error('There is no screen.')),
  onTrack: () => ignore,
};

/** Opens a link that counts as connected once its voice is announced. */
function openLink(host: MediaLinkHost): MediaLink {
  let state: LinkState = 'new';
  return {
    get state() {
      return state;
    },
    consume: async () => silence,
    async send(source, _track, paused) {
      if (state === 'connected') return;
      await host.produce({ kind: 'audio', source, rtpParameters: createVoiceParameters(), paused });
      state = 'connected';
      host.changed(state);
    },
    dropConsumer: ignore,
    pause: async () => undefined,
    setLayers: ignore,
    stop: ignore,
    restartIce: async () => undefined,
    close: ignore,
  };
}

/** Creates the device. Calls `onSession` with each new session at a media node. */
export function createVoiceDevice(onSession: (session: MediaSession) => void): MediaDevice {
  return {
    rtpCapabilities: testRtpCapabilities,
    dtlsParameters: undefined,
    open(session, host) {
      onSession(session);
      return openLink(host);
    },
    warm: () => {
      throw new Error('There is no pre-join page.');
    },
  };
}
