import type { BlurProblem, CameraEffect } from '../media/cameraEffect.ts';
import { Rhythm, SlownessGuard } from './backgroundMath.ts';
import { framesOf } from './framesOf.ts';
import { MaskMaker } from './MaskMaker.ts';

/**
 * The camera with everything but the person blurred, ready with its first picture. Rejects where that cannot be had;
 * `onProblem` is called at most once, when it could be had and then broke, or when this machine is too slow for it.
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
  const stop = () => {
    over = true;
    frames.stop();
    masks.close();
  };

  await new Promise<void>((ready, failed) => {
    let begun = false;
    const breakOff = (problem: BlurProblem, error?: unknown) => {
      if (over) return;
      stop();
      if (begun) onProblem(problem);
      else failed(error instanceof Error ? error : new Error('the camera gave no picture'));
    };
    frames
      .run(async (picture, size) => {
        const begin = performance.now();
        if (rhythm.due()) {
          const mask = await masks.mask({ picture: frames.compositor.small(picture, size), at: begin });
          frames.compositor.setMask(mask);
          rhythm.took(performance.now() - begin);
        }
        frames.compositor.draw(picture, size);
        const end = performance.now();
        if (guard.tooSlow(end - begin, end)) breakOff('slow');
        if (begun) return;
        begun = true;
        ready();
      })
      .then(
        // A camera that went away tells so itself.
        () => !begun && breakOff('failed'),
        (error: unknown) => breakOff('failed', error),
      );
  });
  return { track: frames.track, stop };
}
