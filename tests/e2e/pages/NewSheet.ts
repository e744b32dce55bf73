import type { Locator, Page } from 'playwright-core';
import { en, enBegin } from '../support/words.ts';

/** Drives the sheet with everything that can be started and everyone the user can write to. */
export class NewSheet {
  readonly page: Page;
  readonly button: Locator;
  readonly sheet: Locator;
  readonly search: Locator;

  constructor(page: Page) {
    this.page = page;
    this.button = page.getByRole('button', { name: en.chats.new, exact: true });
    this.sheet = page.getByRole('dialog', { name: enBegin.title, exact: true });
    this.search = this.sheet.getByRole('searchbox', { name: enBegin.search });
  }

  /** Chooses one of the actions by its name. */
  async begin(action: string): Promise<void> {
    await this.button.click();
    await this.sheet.getByRole('button', { name: action, exact: true }).click();
  }

  person(name: string): Locator {
    return this.sheet.getByRole('button', { name });
  }
}
