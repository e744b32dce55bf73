import type { Locator, Page } from 'playwright-core';
import { en } from '../support/words.ts';

/** Drives the step after the first sign-in. */
export class NamePage {
  readonly heading: Locator;
  readonly firstName: Locator;
  readonly lastName: Locator;
  readonly continue: Locator;

  constructor(page: Page) {
    this.heading = page.getByRole('heading', { name: en.naming.title });
    this.firstName = page.getByRole('textbox', { name: en.naming.firstName });
    this.lastName = page.getByRole('textbox', { name: en.naming.lastName });
    this.continue = page.getByRole('button', { name: en.auth.continue });
  }

  async introduce(firstName: string, lastName: string): Promise<void> {
    await this.firstName.fill(firstName);
    await this.lastName.fill(lastName);
    await this.continue.click();
  }
}
