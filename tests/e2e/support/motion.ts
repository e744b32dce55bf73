import type { Locator } from 'playwright-core';
import { soon } from './see.ts';

/** Five pictures a second are enough to see that they move, and leave the machine time for everything else. */
export const slowCamera: string[] = ['--use-fake-device-for-media-stream=fps=5'];

/**
 * Makes a page's camera one that has no larger picture, and leaves its sound as it comes. Of a picture that is as large as
 * the app asks for, each second is encoded in three sizes and decoded, all in software; a small one costs a fraction of
 * that, in two sizes. One so small that it has a single size does not reach everybody where processors are short. To look
 * for echoes in the beeps of a microphone that is none costs a tenth of what a meeting does. As text, for the tests know
 * no DOM.
 */
export const modestDevices = `{
  // Some pages have no devices at all.
  const devices = globalThis.MediaDevices?.prototype ?? {};
  const { getUserMedia } = devices;
  const size = { width: { ideal: 480 }, height: { ideal: 270 } };
  const plain = { echoCancellation: false, noiseSuppression: false, autoGainControl: false };
  const modest = (wanted, changes) => wanted && { ...(wanted === true ? {} : wanted), ...changes };
  devices.getUserMedia = function (wanted) {
    return getUserMedia.call(this, { video: modest(wanted?.video, size), audio: modest(wanted?.audio, plain) });
  };
}`;

/** The part of a video element that says whether anything moves in it; the tests know no DOM. */
interface Moving {
  videoWidth: number;
  getVideoPlaybackQuality: () => { totalVideoFrames: number };
  requestVideoFrameCallback: (told: () => void) => void;
  /** Pictures that were shown since somebody first looked, where the browser counts none. */
  shownFrames?: number;
}

interface Picture {
  /** Of the picture as it is decoded, not as it is drawn; 0 before the first frame. */
  width: number;
  frames: number;
}

export async function pictureOf(video: Locator): Promise<Picture> {
  return await video.first().evaluate((element) => {
    const video = element as unknown as Moving;
    const { totalVideoFrames } = video.getVideoPlaybackQuality();
    // Firefox counts pictures of files alone.
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

/** Waits until so many more pictures were decoded here, even if the element is made anew meanwhile. */
export async function moves(video: Locator, { frames = 5, timeoutMs = 40_000 } = {}): Promise<void> {
  let first: number | undefined;
  await soon(async () => {
    const now = await pictureOf(video);
    if (first === undefined || now.frames < first) first = now.frames;
    expect(now.width).toBeGreaterThan(0);
    expect(now.frames - first).toBeGreaterThanOrEqual(frames);
  }, timeoutMs);
}

/** Waits until the last one of several moves. */
export async function allMove(...videos: Locator[]): Promise<void> {
  await Promise.all(videos.map(async (video) => await moves(video)));
}
