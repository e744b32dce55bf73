import { configStore, loadConfig } from '../../../session/config.ts';

/** The effect is over, or it goes on and this machine is too slow for it. */
export type BlurProblem = 'failed' | 'slow';

/** What is shown in place of the camera's own picture. */
export interface CameraEffect {
  readonly track: MediaStreamTrack;
  /** Ends its track; the camera's is left alone. */
  stop(): void;
}

export type BlurCamera = (camera: MediaStreamTrack, onProblem: (problem: BlurProblem) => void) => Promise<CameraEffect>;

/** Whether this browser has what blurring the background takes. */
export function canBlur(): boolean {
  return (
    typeof OffscreenCanvas !== 'undefined' &&
    typeof WebAssembly !== 'undefined' &&
    typeof Worker !== 'undefined' &&
    ('MediaStreamTrackGenerator' in globalThis ||
      ('captureStream' in HTMLCanvasElement.prototype && 'requestVideoFrameCallback' in HTMLVideoElement.prototype))
  );
}

/** What blurs, fetched when it is first wanted; null where this installation or this browser has no such thing. */
export async function loadBlurCamera(): Promise<BlurCamera | null> {
  if (!canBlur()) return null;
  const config = configStore.getState().config ?? (await loadConfig());
  // Not knowing is not a no.
  if (config === null) throw new Error('the installation does not answer');
  if (config.features.backgroundBlur !== true) return null;
  return (await import('../background/blurCamera.ts')).blurCamera;
}
