import { trustedWorker } from '../../../../device/trustedWorker.ts';
import { configStore } from '../../../../session/config.ts';
import type { FramePlace } from './frameCounts.ts';
// oxlint-disable-next-line import/default -- the address is made by Vite
import workerAddress from './frameWorker.ts?worker&url';

/**
 * The one place where senders and receivers of calls and meetings get their transform (docs/adr/0026). Whoever makes one
 * hands it over in the same breath: a browser leads past a transform what it began to send or receive without one, and
 * says nothing.
 */
export interface MediaFrames {
  /** Before the first description of the sender is made. */
  sender(sender: RTCRtpSender, kind: FramePlace['kind']): void;
  /** Before the description that answers for the receiver is set. */
  receiver(receiver: RTCRtpReceiver): void;
}

/** Where frames go their way by themselves. */
const untouched: MediaFrames = { sender: () => {}, receiver: () => {} };

/** One worker takes the frames of all senders and receivers. */
function framesThrough(worker: Worker): MediaFrames {
  const transform = (place: FramePlace) => new RTCRtpScriptTransform(worker, place);
  return {
    sender(sender, kind) {
      sender.transform ??= transform({ side: 'sent', kind });
    },
    receiver(receiver) {
      // Where a place in the description is used again, its receiver has one already.
      receiver.transform ??= transform({ side: 'received', kind: receiver.track.kind as FramePlace['kind'] });
    },
  };
}

let opened: MediaFrames | undefined;

/** Of this page; frames are left alone where the installation wants that, or the browser knows no transforms. */
export function mediaFrames(): MediaFrames {
  const isWanted = configStore.getState().config?.mediaFrames === true && 'RTCRtpScriptTransform' in globalThis;
  return isWanted ? (opened ??= framesThrough(trustedWorker('frames', workerAddress))) : untouched;
}
