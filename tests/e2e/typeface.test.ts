import type { Page } from 'playwright-core';
import { Shell } from './pages/Shell.ts';
import { createFriends } from './support/cast.ts';
import { setUpJourney, getUrlWithoutServiceWorker } from './support/journey.ts';
import { waitUntilVisible, waitForExpectation } from './support/waitFor.ts';

const { story, openPage, url } = setUpJourney(getUrlWithoutServiceWorker);

const sections = ['contacts', 'meetings', 'status', 'schedule', 'profile', 'chats'] as const;

/** Returns the fonts that the browser uses for the navigation and the title. */
async function typefaces(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  await session.send('DOM.enable');
  await session.send('CSS.enable');
  const { root } = await session.send('DOM.getDocument');
  const { nodeIds } = await session.send('DOM.querySelectorAll', { nodeId: root.nodeId, selector: 'h1, nav a span' });
  const found = new Set<string>();
  for (const nodeId of nodeIds) {
    const { fonts } = await session.send('CSS.getPlatformFontsForNode', { nodeId });
    for (const { familyName } of fonts) found.add(familyName);
  }
  await session.detach();
  return [...found];
}

/** Goes through all sections by the navigation, without reloading the page. */
async function openEachSection(page: Page): Promise<string[]> {
  const found = new Set(await typefaces(page));
  const shell = new Shell(page);
  for (const section of sections) {
    await shell.link(section).click();
    // A screen that is being replaced has no fonts to report.
    await waitForExpectation(async () => {
      for (const family of await typefaces(page)) found.add(family);
    });
  }
  return [...found];
}

for (const [network, delayMs] of [
  ['fast', 0],
  ['slow', 3_000],
] as const) {
  story(`a visit on a ${network} line has one typeface in all sections`, async () => {
    const { ada } = await createFriends(url(), ['Hello']);
    const { page, go } = await openPage({ as: ada.user, device: 'phone' });
    if (delayMs > 0) {
      await page.route(/\.woff2$/, async (route) => {
        // Sleeps: the slow line itself.
        await new Promise((resolve) => setTimeout(resolve, delayMs));
        await route.continue();
      });
    }
    const brought = page.waitForResponse(/inter-latin-wght.*\.woff2$/);
    await go('/');
    await waitUntilVisible(page.getByRole('heading', { level: 1 }));
    await brought;
    // The page has settled on a typeface by then.
    await waitForExpectation(async () =>
      expect(await page.evaluate<number>('performance.now()')).toBeGreaterThan(1_500),
    );
    expect(await openEachSection(page)).toHaveLength(1);
  });
}
