import { noFrames, type FramePlace } from './frameCounts.ts';

/** The worker's side of RTCRtpScriptTransform, which TypeScript's library has for workers alone. */
interface TransformEvent extends Event {
  transformer: { options: FramePlace; readable: ReadableStream; writable: WritableStream };
}

const counts = noFrames();

addEventListener('rtctransform', (event) => {
  const { options, readable, writable } = (event as TransformEvent).transformer;
  const passing = new TransformStream({
    transform(frame, controller) {
      counts[options.side][options.kind] += 1;
      controller.enqueue(frame);
    },
  });
  // It ends with its sender or receiver.
  readable
    .pipeThrough(passing)
    .pipeTo(writable)
    .catch(() => undefined);
});

/** Whoever looks into the page from outside, with a port to be answered at, is told how many. */
addEventListener('message', ({ ports: [port] }) => port?.postMessage(counts));
