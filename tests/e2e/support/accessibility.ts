import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { atRest } from './see.ts';

/** Off unless asked for: the first is of WCAG 2.2, the second still on trial. */
const rules = { 'target-size': { enabled: true }, 'label-content-name-mismatch': { enabled: true } };

/** Menus and tooltips lie over the page and are in no part of it, as dialogs do; of these axe excepts only dialogs. */
const liesOver = `(selector) => {
  const found = document.querySelector(selector);
  const over = '[role="menu"], [role="listbox"], [role="tooltip"]';
  return found !== null && (found.closest(over) !== null || found.querySelector(over) !== null);
}`;

/**
 * What axe has to say, one line each, with the page in these colours: all of WCAG 2.2 AA that it can judge, targets large
 * enough to be pressed and names that say what is read on a button among them, and what it calls best practice.
 */
export async function axeIssues(
  page: Page,
  screen: string,
  colorScheme: 'light' | 'dark',
  impacts?: readonly string[],
): Promise<string[]> {
  // Colours are judged as they are at rest, not in the middle of fading in, or of a toast's fading out meanwhile.
  await page.emulateMedia({ reducedMotion: 'reduce', colorScheme });
  await atRest(page);
  // To read half a megabyte of it anew takes a page as long as half of the rules do.
  const known = await page.evaluate<boolean>(`typeof globalThis.axe === 'object'`);
  // There are no frames of others, for which it would open a window each time, and styles are in the page already.
  const axe = new AxeBuilder({ page, ...(known && { axeSource: ';' }) })
    .setLegacyMode()
    .options({ resultTypes: ['violations'], preload: false, ...(impacts === undefined && { rules }) });
  // In the dark only the colours are different.
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

/** What axe calls serious or critical, for screens that nobody has looked at with all of it yet. */
export async function seriousIssues(page: Page, screen: string, colorScheme: 'light' | 'dark'): Promise<string[]> {
  return await axeIssues(page, screen, colorScheme, ['serious', 'critical']);
}
