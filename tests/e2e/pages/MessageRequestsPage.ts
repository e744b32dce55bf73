import type { Locator, Page } from 'playwright-core';
import { waitUntilVisible } from '../support/waitFor.ts';
import { enRequests, fillPlaceholders } from '../support/words.ts';

/** Drives the message requests of strangers: the link to them in the list, their list, and one of them. */
export class MessageRequestsPage {
  readonly page: Page;
  readonly way: Locator;
  readonly list: Locator;
  readonly accept: Locator;
  /** Question about a stranger, with its answers. */
  readonly bar: Locator;

  constructor(page: Page) {
    this.page = page;
    this.way = page.getByRole('button', { name: enRequests.title });
    this.list = page.getByRole('list', { name: enRequests.title });
    this.bar = page
      .locator('section')
      .filter({ has: page.getByRole('button', { name: enRequests.accept, exact: true }) })
      .last();
    this.accept = page.getByRole('button', { name: enRequests.accept, exact: true });
  }

  /** Link to the requests, which says that one is waiting. */
  get oneWaits(): Locator {
    return this.way.getByText(fillPlaceholders(enRequests.waiting_one, { count: 1 }), { exact: true });
  }

  row(name: string): Locator {
    return this.list.getByRole('link').filter({ hasText: name });
  }

  /** Finds an invitation to a group. */
  invitation(name: string): Locator {
    return this.list.getByRole('article', { name });
  }

  message(name: string, text: string): Locator {
    return this.page
      .getByRole('log', { name: fillPlaceholders(enRequests.messages, { name }) })
      .getByRole('article')
      .filter({ hasText: text });
  }

  async open(name: string): Promise<void> {
    await this.way.click();
    await this.row(name).click();
    await waitUntilVisible(this.accept);
  }
}
