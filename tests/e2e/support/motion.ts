import type { Locator } from 'playwright-core';
import { waitForExpectation } from './waitFor.ts';

/** Five frames per second are enough to see motion, and leave CPU time for everything else. */
export const slowCameraArguments: string[] = ['--use-fake-device-for-media-stream=fps=5'];

/**
 * Limits a page's camera to a small picture, and leaves its audio unprocessed. At the size that the app requests, each
 * second is encoded in three sizes and decoded, all in software; a small picture costs a fraction of that, in two
 * sizes. One small enough for a single size does not reach everyone on slow machines. Echo cancellation on a fake
 * microphone's beeps costs a tenth of a meeting. A string, because the tests have no DOM types.
 */
export const modestDevicesScript = `{
  // The page may have no devices.
  const devices = globalThis.MediaDevices?.prototype ?? {};
  const { getUserMedia } = devices;
  const size = { width: { ideal: 480 }, height: { ideal: 270 } };
  const plain = { echoCancellation: false, noiseSuppression: false, autoGainControl: false };
  const modest = (wanted, changes) => wanted && { ...(wanted === true ? {} : wanted), ...changes };
  devices.getUserMedia = function (wanted) {
    return getUserMedia.call(this, { video: modest(wanted?.video, size), audio: modest(wanted?.audio, plain) });
  };
}`;

/** Part of a video element that shows whether anything moves. The tests have no DOM types. */
interface Moving {
  videoWidth: number;
  getVideoPlaybackQuality: () => { totalVideoFrames: number };
  requestVideoFrameCallback: (callback: () => void) => void;
  /** Frames shown since the first check, if the browser counts none. */
  shownFrames?: number;
}

interface Picture {
  /** Width of the decoded picture, not of the drawn one; 0 before the first frame. */
  width: number;
  frames: number;
}

export async function readVideoState(video: Locator): Promise<Picture> {
  return await video.first().evaluate((element) => {
    const video = element as unknown as Moving;
    const { totalVideoFrames } = video.getVideoPlaybackQuality();
    // Firefox counts only the frames of files.
    if (totalVideoFrames === 0 && video.shownFrames === undefined) {
      video.shownFrames = 0;
      const count = (): void => {
        video.shownFrames = (video.shownFrames ?? 0) + 1;
        video.requestVideoFrameCallback(count);
      };
      video.requestVideoFrameCallback(count);
    }
    return { width: video.videoWidth, frames: totalVideoFrames || (video.shownFrames ?? 0) };
  });
}

/** Waits until this many more frames were decoded, even if the element is recreated meanwhile. */
export async function waitUntilMoving(video: Locator, { frames = 5, timeoutMs = 40_000 } = {}): Promise<void> {
  let first: number | undefined;
  await waitForExpectation(async () => {
    const now = await readVideoState(video);
    if (first === undefined || now.frames < first) first = now.frames;
    expect(now.width).toBeGreaterThan(0);
    expect(now.frames - first).toBeGreaterThanOrEqual(frames);
  }, timeoutMs);
}

/** Waits until all of these videos move. */
export async function waitUntilAllMoving(...videos: Locator[]): Promise<void> {
  await Promise.all(videos.map(async (video) => await waitUntilMoving(video)));
}
