import type { PixelSize } from './backgroundMath.ts';
import { Compositor, type DrawablePicture } from './Compositor.ts';

/** Processes a camera's pictures through a canvas. */
export interface CameraFrameProcessor {
  readonly compositor: Compositor;
  /** Output track. */
  readonly track: MediaStreamTrack;
  /**
   * Passes pictures to `draw` one after another until the camera ends or `stop` is called. Rejects if `draw` rejects.
   */
  run(draw: (picture: DrawablePicture, size: PixelSize) => Promise<void>): Promise<void>;
  stop(): void;
}

// Chromium is the only browser with these two on a page, and TypeScript's library has neither.
interface Processor {
  readable: ReadableStream<VideoFrame>;
}
interface Generator extends MediaStreamTrack {
  writable: WritableStream<VideoFrame>;
}
interface Streams {
  MediaStreamTrackProcessor?: new (options: { track: MediaStreamTrack; maxBufferSize: number }) => Processor;
  MediaStreamTrackGenerator?: new (options: { kind: 'video' }) => Generator;
}

/** Processes frames as they arrive, even while the page is hidden. */
function streamed(
  camera: MediaStreamTrack,
  { MediaStreamTrackProcessor, MediaStreamTrackGenerator }: Required<Streams>,
) {
  const canvas = new OffscreenCanvas(1, 1);
  const compositor = new Compositor(canvas);
  // A frame that waits too long is replaced by the next.
  const reader = new MediaStreamTrackProcessor({ track: camera, maxBufferSize: 1 }).readable.getReader();
  const track = new MediaStreamTrackGenerator({ kind: 'video' });
  const writer = track.writable.getWriter();
  let stopped = false;
  return {
    compositor,
    track,
    async run(draw: (picture: DrawablePicture, size: PixelSize) => Promise<void>) {
      while (!stopped) {
        const { value: frame, done } = await reader.read();
        if (done) return;
        const { timestamp } = frame;
        try {
          await draw(frame, { width: frame.displayWidth, height: frame.displayHeight });
        } finally {
          frame.close();
        }
        // An ended call accepts no more frames.
        if (!stopped) await writer.write(new VideoFrame(canvas, { timestamp })).catch(() => undefined);
      }
    },
    stop() {
      stopped = true;
      void reader.cancel().catch(() => undefined);
      track.stop();
    },
  };
}

/** Uses hidden page elements. It pauses when the browser throttles the page. */
function played(camera: MediaStreamTrack) {
  const canvas = document.createElement('canvas');
  const compositor = new Compositor(canvas);
  // The canvas needs content before its stream is requested.
  compositor.draw(canvas.ownerDocument.createElement('canvas'), { width: 16, height: 16 });
  const [track] = canvas.captureStream().getVideoTracks();
  if (!track) throw new Error('the canvas provides no video track');
  const video = document.createElement('video');
  video.muted = true;
  video.playsInline = true;
  video.srcObject = new MediaStream([camera]);
  let end: () => void = () => {};
  const ended = new Promise<'ended'>((resolve) => {
    end = () => resolve('ended');
  });
  camera.addEventListener('ended', end);
  return {
    compositor,
    track,
    async run(draw: (picture: DrawablePicture, size: PixelSize) => Promise<void>) {
      await video.play();
      const next = () => new Promise<'frame'>((resolve) => video.requestVideoFrameCallback(() => resolve('frame')));
      while ((await Promise.race([next(), ended])) === 'frame') {
        await draw(video, { width: video.videoWidth, height: video.videoHeight });
      }
    },
    stop() {
      end();
      camera.removeEventListener('ended', end);
      video.srcObject = null;
      track.stop();
    },
  };
}

export function createCameraFrameProcessor(camera: MediaStreamTrack): CameraFrameProcessor {
  const { MediaStreamTrackProcessor, MediaStreamTrackGenerator } = globalThis as Streams;
  return MediaStreamTrackProcessor && MediaStreamTrackGenerator
    ? streamed(camera, { MediaStreamTrackProcessor, MediaStreamTrackGenerator })
    : played(camera);
}
