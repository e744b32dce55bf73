import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { waitUntilStill } from './waitFor.ts';

/** Off by default: the first is part of WCAG 2.2, the second is still experimental. */
const rules = { 'target-size': { enabled: true }, 'label-content-name-mismatch': { enabled: true } };

/** Menus and tooltips lie over the page and in no landmark, as dialogs do. Of these, axe exempts only dialogs. */
const liesOver = `(selector) => {
  const found = document.querySelector(selector);
  const over = '[role="menu"], [role="listbox"], [role="tooltip"]';
  return found !== null && (found.closest(over) !== null || found.querySelector(over) !== null);
}`;

/**
 * Lists axe's findings, one line each, for the page in this color scheme: all of WCAG 2.2 AA that axe can check,
 * including large enough targets and names that contain a button's visible label, and its best practices.
 */
export async function findAxeIssues(
  page: Page,
  screen: string,
  colorScheme: 'light' | 'dark',
  impacts?: readonly string[],
): Promise<string[]> {
  // Checks colors at rest, not during a fade-in or a toast's fade-out.
  await page.emulateMedia({ reducedMotion: 'reduce', colorScheme });
  await waitUntilStill(page);
  // Reloading half a megabyte of axe takes a page as long as half of the rules.
  const known = await page.evaluate<boolean>(`typeof globalThis.axe === 'object'`);
  // The page has no foreign frames, for which axe would open a window each time, and its styles are inline already.
  const axe = new AxeBuilder({ page, ...(known && { axeSource: ';' }) })
    .setLegacyMode()
    .options({ resultTypes: ['violations'], preload: false, ...(impacts === undefined && { rules }) });
  // Dark mode differs only in its colors.
  if (colorScheme === 'dark') axe.withRules(['color-contrast', 'link-in-text-block']);
  const { violations } = await axe.analyze();
  const lines: string[] = [];
  for (const { id, impact, nodes } of violations) {
    if (impacts && !impacts.includes(impact ?? '')) continue;
    for (const { target, failureSummary } of nodes) {
      const at = target.join(' ');
      if (id === 'region' && (await page.evaluate<boolean>(`(${liesOver})(${JSON.stringify(at)})`))) continue;
      lines.push(`${screen}: ${id} at ${at}: ${failureSummary ?? ''}`);
    }
  }
  return lines;
}

/** Lists only what axe calls serious or critical, for screens that have not been checked completely yet. */
export async function findSeriousAxeIssues(
  page: Page,
  screen: string,
  colorScheme: 'light' | 'dark',
): Promise<string[]> {
  return await findAxeIssues(page, screen, colorScheme, ['serious', 'critical']);
}
