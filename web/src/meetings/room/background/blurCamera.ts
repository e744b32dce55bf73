import type { BlurProblem, CameraEffect } from '../media/cameraEffect.ts';
import { MaskScheduler, SlownessGuard } from './backgroundMath.ts';
import { createCameraFrameProcessor } from './createCameraFrameProcessor.ts';
import { PersonMaskWorkerClient } from './PersonMaskWorkerClient.ts';

/**
 * Returns the camera's video with everything blurred except the person, once its first picture is ready. Rejects if
 * that is impossible. Calls `onProblem` at most once for each problem: the effect failed, which ends it, or this
 * machine is too slow.
 */
export async function blurCamera(
  camera: MediaStreamTrack,
  onProblem: (problem: BlurProblem) => void,
): Promise<CameraEffect> {
  const masks = await PersonMaskWorkerClient.open();
  const frames = createCameraFrameProcessor(camera);
  const rhythm = new MaskScheduler();
  const guard = new SlownessGuard();
  let over = false;
  let slow = false;
  /** A slow machine pauses after each picture for as long as it took, so that the rest of the call has time. */
  let restUntil = 0;
  const stop = () => {
    over = true;
    frames.stop();
    masks.close();
  };

  await new Promise<void>((ready, failed) => {
    let begun = false;
    const breakOff = (error?: unknown) => {
      if (over) return;
      stop();
      if (begun) onProblem('failed');
      else failed(error instanceof Error ? error : new Error('the camera delivered no picture'));
    };
    frames
      .run(async (picture, size) => {
        const begin = performance.now();
        if (begin < restUntil) return;
        if (rhythm.due()) {
          const mask = await masks.mask({ picture: frames.compositor.small(picture, size), at: begin });
          frames.compositor.setMask(mask);
          rhythm.took(performance.now() - begin);
        }
        frames.compositor.draw(picture, size);
        const end = performance.now();
        if (slow) restUntil = end + (end - begin);
        else if (guard.tooSlow(end - begin, end)) {
          slow = true;
          onProblem('slow');
        }
        if (begun) return;
        begun = true;
        ready();
      })
      .then(
        // A camera that disappears reports it itself.
        () => !begun && breakOff(),
        breakOff,
      );
  });
  return { track: frames.track, stop };
}
