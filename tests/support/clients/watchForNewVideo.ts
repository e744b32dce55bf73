import { eventually } from '@nolo/testing';

/** Part of a page that this needs. */
interface Evaluating {
  evaluate: <T>(script: string) => Promise<T>;
}

/** Runs in the page. A string, because the tests have no DOM types. */
const watch = `(() => {
  const videos = () => [...document.querySelectorAll('[data-testid=video]')];
  const trackOf = (video) => video.srcObject?.getVideoTracks()[0]?.id;
  const known = new Set(videos().map(trackOf));
  clearInterval(globalThis.pictureWatch?.timer);
  const found = { at: null };
  globalThis.pictureWatch = found;
  // A timer, not a callback for each drawn picture: a page that draws nothing for a while would be late.
  found.timer = setInterval(() => {
    const isNew = (video) => trackOf(video) !== undefined && !known.has(trackOf(video));
    if (!videos().some((video) => isNew(video) && video.getVideoPlaybackQuality().totalVideoFrames > 0)) return;
    found.at = Date.now();
    clearInterval(found.timer);
  }, 10);
})()`;

/**
 * Waits in the page for another participant's video to arrive over a new connection, and returns when its first frame
 * was decoded (as Date.now). Tracks are recreated with their transports, so no old one is mistaken for it.
 */
export async function watchForNewVideo(page: Evaluating): Promise<() => Promise<number>> {
  await page.evaluate(watch);
  return async () =>
    await eventually(async () => (await page.evaluate<number | null>('globalThis.pictureWatch.at')) ?? undefined, {
      timeoutMs: 30_000,
      intervalMs: 100,
    });
}
