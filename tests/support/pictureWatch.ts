import { eventually } from '@nolo/testing';

/** The part of a page that this needs. */
interface Evaluating {
  evaluate: <T>(script: string) => Promise<T>;
}

/** What runs in the page: as text, for the tests know no DOM. */
const watch = `(() => {
  const videos = () => [...document.querySelectorAll('[data-testid=video]')];
  const trackOf = (video) => video.srcObject?.getVideoTracks()[0]?.id;
  const known = new Set(videos().map(trackOf));
  clearInterval(globalThis.pictureWatch?.timer);
  const found = { at: null };
  globalThis.pictureWatch = found;
  // Not with each picture that is drawn: a page that draws nothing for a while would be late.
  found.timer = setInterval(() => {
    const isNew = (video) => trackOf(video) !== undefined && !known.has(trackOf(video));
    if (!videos().some((video) => isNew(video) && video.getVideoPlaybackQuality().totalVideoFrames > 0)) return;
    found.at = Date.now();
    clearInterval(found.timer);
  }, 10);
})()`;

/**
 * Waits in the page for somebody's picture to come over another connection than now, and says at what time (as Date.now)
 * the first one of those was decoded. Tracks are made anew with their transports, so none of the old ones is mistaken for it.
 */
export async function watchForNewPicture(page: Evaluating): Promise<() => Promise<number>> {
  await page.evaluate(watch);
  return async () =>
    await eventually(async () => (await page.evaluate<number | null>('globalThis.pictureWatch.at')) ?? undefined, {
      timeoutMs: 30_000,
      intervalMs: 100,
    });
}
