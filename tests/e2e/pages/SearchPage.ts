import type { Locator, Page } from 'playwright-core';
import { en, enSearch } from '../support/words.ts';

/** Drives `/search`, which searches all messages. */
export class SearchPage {
  readonly page: Page;
  readonly field: Locator;
  readonly back: Locator;
  readonly found: Locator;
  readonly near: Locator;
  readonly nothing: Locator;
  readonly older: Locator;

  constructor(page: Page) {
    this.page = page;
    this.field = page.getByRole('searchbox', { name: enSearch.label });
    this.back = page.getByRole('link', { name: enSearch.back });
    this.found = page.getByRole('list', { name: enSearch.messages }).getByRole('link');
    this.near = page.getByRole('heading', { name: enSearch.near });
    this.older = page.getByRole('button', { name: enSearch.older });
    this.nothing = page.getByRole('heading', { name: enSearch.nothing });
  }

  /** Finds the link to this page in a search for names in the list of chats. */
  row(typed: string): Locator {
    return this.page.getByRole('link', { name: en.rows.searchMessages.replace('{{typed}}', typed) });
  }

  kind(kind: keyof typeof enSearch.kinds): Locator {
    return this.page.getByRole('button', { name: enSearch.kinds[kind], exact: true });
  }

  filter(name: 'who' | 'where' | 'when'): Locator {
    return this.page.getByRole('combobox', { name: enSearch[name], exact: true });
  }

  /** Returns the highlighted words of the message that a search led to. */
  async highlightedWords(): Promise<string[]> {
    return await this.page.evaluate<string[]>(`[...(CSS.highlights.get('nolo-found') ?? [])].map(String)`);
  }
}
