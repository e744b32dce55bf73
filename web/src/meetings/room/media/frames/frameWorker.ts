import { noFrames, type FrameSource } from './frameCounts.ts';

/** Worker side of RTCRtpScriptTransform, which TypeScript's library has only for workers. */
interface TransformEvent extends Event {
  transformer: { options: FrameSource; readable: ReadableStream; writable: WritableStream };
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
  // The pipe ends with its sender or receiver.
  readable
    .pipeThrough(passing)
    .pipeTo(writable)
    .catch(() => undefined);
});

/** Reports the counts through the given port to test code that inspects the page from outside. */
addEventListener('message', ({ ports: [port] }) => port?.postMessage(counts));
