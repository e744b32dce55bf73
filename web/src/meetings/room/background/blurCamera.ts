import type { BlurProblem, CameraEffect } from '../media/cameraEffect.ts';
import { Rhythm, SlownessGuard } from './backgroundMath.ts';
import { framesOf } from './framesOf.ts';
import { MaskMaker } from './MaskMaker.ts';

/**
 * The camera with everything but the person blurred, ready with its first picture. Rejects where that cannot be had.
 * `onProblem` is told at most once each that it broke, which ends it, and that this machine is too slow for it.
 */
export async function blurCamera(
  camera: MediaStreamTrack,
  onProblem: (problem: BlurProblem) => void,
): Promise<CameraEffect> {
  const masks = await MaskMaker.open();
  const frames = framesOf(camera);
  const rhythm = new Rhythm();
  const guard = new SlownessGuard();
  let over = false;
  let slow = false;
  /** A slow machine has as much time for the rest of a call as for its pictures. */
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
      else failed(error instanceof Error ? error : new Error('the camera gave no picture'));
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
        // A camera that went away tells so itself.
        () => !begun && breakOff(),
        breakOff,
      );
  });
  return { track: frames.track, stop };
}
