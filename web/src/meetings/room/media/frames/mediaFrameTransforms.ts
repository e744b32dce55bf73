import { startTrustedWorker } from '../../../../device/startTrustedWorker.ts';
import { configStore } from '../../../../session/config.ts';
import type { FrameSource } from './frameCounts.ts';
// oxlint-disable-next-line import/default -- the address is made by Vite
import workerAddress from './frameWorker.ts?worker&url';

/**
 * The only place where senders and receivers of calls and meetings get their transform (docs/adr/0026). Pass each one
 * immediately after creating it: browsers silently bypass a transform for media that they began to send or receive
 * without one.
 */
export interface MediaFrameTransforms {
  /** Call before the first description of the sender is created. */
  sender(sender: RTCRtpSender, kind: FrameSource['kind']): void;
  /** Call before the description that answers for the receiver is set. */
  receiver(receiver: RTCRtpReceiver): void;
}

/** Leaves frames without transforms. */
const untouched: MediaFrameTransforms = { sender: () => {}, receiver: () => {} };

/** Routes the frames of all senders and receivers through one worker. */
function framesThrough(worker: Worker): MediaFrameTransforms {
  const transform = (place: FrameSource) => new RTCRtpScriptTransform(worker, place);
  return {
    sender(sender, kind) {
      sender.transform ??= transform({ side: 'sent', kind });
    },
    receiver(receiver) {
      // A reused slot in the description has a receiver with a transform already.
      receiver.transform ??= transform({ side: 'received', kind: receiver.track.kind as FrameSource['kind'] });
    },
  };
}

let opened: MediaFrameTransforms | undefined;

/**
 * Returns the frames handler of this page. Frames are left alone unless the installation enables transforms and the
 * browser supports them.
 */
export function getMediaFrameTransforms(): MediaFrameTransforms {
  const isWanted = configStore.getState().config?.mediaFrames === true && 'RTCRtpScriptTransform' in globalThis;
  return isWanted ? (opened ??= framesThrough(startTrustedWorker('frames', workerAddress))) : untouched;
}
