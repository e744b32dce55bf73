import { configStore, loadConfig } from '../../../session/config.ts';

/** `failed`: the effect has ended. `slow`: it continues, but this machine is too slow for it. */
export type BlurProblem = 'failed' | 'slow';

/** Track shown in place of the camera's own picture. */
export interface CameraEffect {
  readonly track: MediaStreamTrack;
  /** Ends its own track, but not the camera's. */
  stop(): void;
}

export type BlurCamera = (camera: MediaStreamTrack, onProblem: (problem: BlurProblem) => void) => Promise<CameraEffect>;

export function canBlur(): boolean {
  return (
    typeof OffscreenCanvas !== 'undefined' &&
    typeof WebAssembly !== 'undefined' &&
    typeof Worker !== 'undefined' &&
    ('MediaStreamTrackGenerator' in globalThis ||
      ('captureStream' in HTMLCanvasElement.prototype && 'requestVideoFrameCallback' in HTMLVideoElement.prototype))
  );
}

/** Loads the blur effect on first use. Resolves to null if this installation or browser does not support it. */
export async function loadBlurCamera(): Promise<BlurCamera | null> {
  if (!canBlur()) return null;
  const config = configStore.getState().config ?? (await loadConfig());
  // A missing config does not mean that the feature is off.
  if (config === null) throw new Error('the server does not respond');
  if (config.features.backgroundBlur !== true) return null;
  return (await import('../background/blurCamera.ts')).blurCamera;
}
