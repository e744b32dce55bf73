import { eventually, waitTimeoutMs } from '@nolo/testing';
import type { Locator, Page } from 'playwright-core';

/* Waiting as people do: looking until it is visible. */

/** Waits until all of these are visible. */
export async function waitUntilVisible(...things: Locator[]): Promise<void> {
  for (const thing of things) await thing.first().waitFor({ state: 'visible' });
}

/** Waits until none of these is visible. */
export async function waitUntilHidden(...things: Locator[]): Promise<void> {
  for (const thing of things) {
    await eventually(async () => (await thing.filter({ visible: true }).count()) === 0);
  }
}

/** Waits until the address is this path, or matches the pattern. */
export async function waitForPath(page: Page, path: string | RegExp): Promise<void> {
  await page.waitForURL((url) => {
    const address = url.pathname + url.search;
    return typeof path === 'string' ? address === path : path.test(address);
  });
}

/** Waits until a jest expectation passes. */
export async function waitForExpectation(check: () => Promise<void> | void, timeoutMs = waitTimeoutMs): Promise<void> {
  await eventually(
    async () => {
      await check();
      return true;
    },
    { timeoutMs, intervalMs: 50 },
  );
}

/**
 * Waits until a closed overlay has removed its history entry, which it does a moment later. A navigation before that
 * steps back instead.
 */
export async function waitForHistory(page: Page): Promise<void> {
  await waitForExpectation(async () => expect(await page.evaluate('history.state?.overlays ?? 0')).toBe(0));
}

/** Waits until the element has the focus. */
export async function waitForFocus(thing: Locator): Promise<void> {
  await waitForExpectation(async () => {
    expect(
      await thing.evaluate((element: { matches: (selector: string) => boolean }) => element.matches(':focus')),
    ).toBe(true);
  });
}

/** Waits until nothing slides or fades; endless rotation is ignored. */
export async function waitUntilStill(page: Page): Promise<void> {
  // The layout updates with the next drawn frame.
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  await page.evaluate(
    'Promise.all(document.getAnimations().filter((one) => one.effect.getComputedTiming().iterations !== Infinity).map((one) => one.finished.catch(() => undefined))).then(() => undefined)',
  );
}
