import type { BrowserContext, Page } from 'playwright-core';
import { ConversationPage } from '../pages/ConversationPage.ts';
import { waitUntilVisible } from './waitFor.ts';

interface TabKillOptions {
  readonly context: BrowserContext;
  /** Address of the conversation. */
  readonly address: string;
  /** Name of the conversation. */
  readonly name: string;
  readonly kills: number;
  /** Returns a number from 0 inclusive to 1 exclusive. */
  readonly random: () => number;
}

/** Most milliseconds between a message on the screen and the kill. A message takes about half as long. */
const longestMs = 400;
const perKill = 2;

/**
 * Sends messages from a tab that is reloaded or closed at random moments. Every text was on the screen before the kill,
 * so it must arrive.
 *
 * @returns the texts in their order, and the last tab
 */
export async function sendThroughKills(page: Page, { context, address, name, kills, random }: TabKillOptions) {
  const texts: string[] = [];
  let tab = page;
  for (let kill = 0; kill < kills; kill += 1) {
    const chat = new ConversationPage(tab, name);
    for (let n = 0; n < perKill; n += 1) {
      const text = `Message ${kill}.${n}.`;
      await chat.sendText(text);
      texts.push(text);
    }
    await tab.waitForTimeout(random() * longestMs);
    if (random() < 0.5) await tab.reload({ waitUntil: 'commit' });
    else {
      const next = await context.newPage();
      await tab.close();
      tab = next;
      await tab.goto(address);
    }
    await waitUntilVisible(new ConversationPage(tab, name).composer);
  }
  return { texts, tab };
}
