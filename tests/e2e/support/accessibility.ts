import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { atRest } from './see.ts';

/** What axe calls serious or critical, one line each, with the page in these colours. */
export async function seriousIssues(page: Page, screen: string, colorScheme: 'light' | 'dark'): Promise<string[]> {
  // Colours are judged as they are at rest, not in the middle of fading in, or of a toast's fading out meanwhile.
  await page.emulateMedia({ reducedMotion: 'reduce', colorScheme });
  await atRest(page);
  // To read half a megabyte of it anew takes a page as long as half of the rules do.
  const known = await page.evaluate<boolean>(`typeof globalThis.axe === 'object'`);
  // There are no frames of others, for which it would open a window each time, and styles are in the page already.
  const axe = new AxeBuilder({ page, ...(known && { axeSource: ';' }) })
    .setLegacyMode()
    .options({ resultTypes: ['violations'], preload: false });
  // In the dark only the colours are different.
  if (colorScheme === 'dark') axe.withRules(['color-contrast', 'link-in-text-block']);
  const { violations } = await axe.analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map((node) => `${screen}: ${id} at ${node.target.join(' ')}: ${node.failureSummary ?? ''}`),
    );
}
