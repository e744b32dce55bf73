import type { Locator, Page } from 'playwright-core';
import { waitUntilVisible } from '../support/waitFor.ts';
import { en, enMessages, fillPlaceholders } from '../support/words.ts';

type DeliveryState = keyof typeof en.conversation.state;

/** Drives one conversation, from the side of one of its two people. */
export class ConversationPage {
  readonly page: Page;
  /** Name of the other person. */
  readonly name: string;
  readonly feed: Locator;
  readonly composer: Locator;
  readonly send: Locator;
  readonly heading: Locator;
  readonly info: Locator;
  readonly back: Locator;
  readonly typing: Locator;
  readonly menu: Locator;
  readonly editing: Locator;
  readonly messages: Locator;

  constructor(page: Page, name: string) {
    this.page = page;
    this.name = name;
    this.feed = page.getByRole('feed', { name: fillPlaceholders(en.conversation.messagesWith, { name }) });
    this.composer = page.getByRole('textbox', { name: fillPlaceholders(en.conversation.composer, { name }) });
    this.editing = page.getByRole('textbox', { name: en.conversation.editing });
    this.send = page.getByRole('button', { name: en.chats.send, exact: true });
    this.heading = page.getByRole('heading', { level: 1, name });
    this.info = page.getByRole('button', { name: en.conversation.info });
    this.back = page.getByRole('link', { name: en.conversation.back });
    this.typing = page.getByRole('status', { name: fillPlaceholders(en.chats.typing, { name }) });
    this.menu = page.getByRole('menu');
    // Lines about encryption are articles too.
    this.messages = this.feed.locator('article[aria-posinset]');
  }

  message(text: string): Locator {
    return this.messages.filter({ hasText: text });
  }

  /** Finds the icon for the delivery state of the user's own message. */
  deliveryIcon(text: string, state: DeliveryState): Locator {
    return this.message(text).getByRole('img', { name: en.conversation.state[state], exact: true });
  }

  async sendText(text: string): Promise<void> {
    await this.composer.fill(text);
    await this.composer.press('Enter');
    await waitUntilVisible(this.message(text));
  }

  async openMenu(text: string): Promise<void> {
    await this.message(text).click({ button: 'right' });
    await waitUntilVisible(this.menu);
  }

  async choose(item: string): Promise<void> {
    await this.menu.getByRole('menuitem', { name: item }).click();
  }

  /** Chooses one of the six quick reactions. */
  async react(text: string, emoji: string): Promise<void> {
    await this.openMenu(text);
    await this.menu.getByRole('menuitem', { name: fillPlaceholders(enMessages.reactWith, { emoji }) }).click();
  }

  /** Finds an emoji under a message, with its owners. */
  reaction(text: string, emoji: string): Locator {
    return this.message(text).getByRole('group', { name: enMessages.reactions }).getByRole('button', { name: emoji });
  }

  async reply(text: string, answer: string): Promise<void> {
    await this.openMenu(text);
    await this.choose(enMessages.reply);
    await this.composer.fill(answer);
    await this.composer.press('Enter');
    await waitUntilVisible(this.message(answer));
  }

  /** Finds the quote in a reply. */
  quote(text: string): Locator {
    return this.message(text).locator('button[data-quote]');
  }

  async edit(text: string, change: string): Promise<void> {
    await this.openMenu(text);
    await this.choose(en.conversation.edit);
    await this.editing.fill(change);
    await this.editing.press('Enter');
    await waitUntilVisible(this.message(change).getByText(en.conversation.edited));
  }

  async deleteForMe(text: string): Promise<void> {
    await this.openMenu(text);
    await this.choose(en.conversation.deleteForMe);
    await this.page
      .getByRole('alertdialog', { name: en.conversation.hideTitle })
      .getByRole('button', { name: en.common.delete })
      .click();
  }

  async deleteForEveryone(text: string): Promise<void> {
    await this.openMenu(text);
    await this.choose(en.conversation.deleteForEveryone);
    await this.page
      .getByRole('alertdialog', { name: en.conversation.deleteTitle })
      .getByRole('button', { name: en.common.delete })
      .click();
    await waitUntilVisible(this.message(en.conversation.deleted));
  }

  /** Returns the texts of the visible messages, oldest first, without times and icons. */
  async texts(): Promise<string[]> {
    const all = await this.messages.allInnerTexts();
    return all.map((text) => text.split('\n')[0] ?? '');
  }
}
