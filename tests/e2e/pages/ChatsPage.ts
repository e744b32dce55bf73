import type { Locator, Page } from 'playwright-core';
import { toPattern, en, fillPlaceholders } from '../support/words.ts';

/** Drives the list of conversations. */
export class ChatsPage {
  readonly page: Page;
  readonly list: Locator;
  readonly search: Locator;
  readonly loading: Locator;
  readonly emptyTitle: Locator;
  readonly failure: Locator;
  readonly retry: Locator;
  readonly selectConversation: Locator;
  readonly install: Locator;

  constructor(page: Page) {
    this.page = page;
    this.list = page.getByRole('list', { name: en.chats.conversations });
    this.search = page.getByRole('searchbox', {
      name: new RegExp(
        `^(${toPattern(en.chats.searchPlaceholder).source}|${toPattern(en.chats.searchPeoplePlaceholder).source})$`,
      ),
    });
    this.loading = page.getByRole('status', { name: en.chats.loading });
    this.emptyTitle = page.getByRole('heading', { name: en.chats.emptyTitle });
    this.failure = page.getByRole('alert').filter({ hasText: en.errors.loadConversations });
    this.retry = this.failure.getByRole('button', { name: en.common.retry });
    this.selectConversation = page.getByRole('heading', { name: en.chats.selectTitle });
    this.install = page.getByRole('button', { name: en.chats.install });
  }

  row(name: string): Locator {
    return this.list.getByRole('link').filter({ hasText: name });
  }

  unread(name: string, count: number): Locator {
    const sentence = count === 1 ? en.chats.unread_one : en.chats.unread_other;
    return this.row(name).getByText(fillPlaceholders(sentence, { count }), { exact: true });
  }

  /** Clears or deletes a chat from the menu of its row. */
  async tidy(name: string, item: string, question: string): Promise<void> {
    await this.row(name).click({ button: 'right' });
    await this.page.getByRole('menu').getByRole('menuitem', { name: item, exact: true }).click();
    await this.page
      .getByRole('alertdialog', { name: question })
      .getByRole('button', { name: item, exact: true })
      .click();
  }

  anyUnread(name: string): Locator {
    return this.row(name).getByText(/unread/);
  }
}
