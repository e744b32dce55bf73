import { eventually, waitTimeoutMs } from '@nolo/testing';
import type { Locator, Page } from 'playwright-core';

/* Waiting as people do: they look until they see it. */

/** Waits until all of these can be seen. */
export async function see(...things: Locator[]): Promise<void> {
  for (const thing of things) await thing.first().waitFor({ state: 'visible' });
}

/** Waits until none of these can be seen. */
export async function gone(...things: Locator[]): Promise<void> {
  for (const thing of things) {
    await eventually(async () => (await thing.filter({ visible: true }).count()) === 0);
  }
}

/** Waits until the address is this path, or matches the pattern. */
export async function at(page: Page, path: string | RegExp): Promise<void> {
  await page.waitForURL((url) => {
    const address = url.pathname + url.search;
    return typeof path === 'string' ? address === path : path.test(address);
  });
}

/** Waits until an expectation of jest holds. */
export async function soon(check: () => Promise<void> | void, timeoutMs = waitTimeoutMs): Promise<void> {
  await eventually(
    async () => {
      await check();
      return true;
    },
    { timeoutMs, intervalMs: 50 },
  );
}

/**
 * Waits until what was closed over a screen has taken its entry of the history along, which it does a moment later. A page
 * that is told another address before that steps back instead.
 */
export async function settled(page: Page): Promise<void> {
  await soon(async () => expect(await page.evaluate('history.state?.overlays ?? 0')).toBe(0));
}

/** Waits until the thing has the focus. */
export async function hasFocus(thing: Locator): Promise<void> {
  await soon(async () => {
    expect(
      await thing.evaluate((element: { matches: (selector: string) => boolean }) => element.matches(':focus')),
    ).toBe(true);
  });
}

/** Once nothing slides or fades any more; what turns without end does not count. */
export async function atRest(page: Page): Promise<void> {
  // The layout follows with the next picture that is drawn.
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  await page.evaluate(
    'Promise.all(document.getAnimations().filter((one) => one.effect.getComputedTiming().iterations !== Infinity).map((one) => one.finished.catch(() => undefined))).then(() => undefined)',
  );
}
