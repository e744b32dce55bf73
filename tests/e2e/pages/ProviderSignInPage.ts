import type { Locator, Page } from 'playwright-core';
import { waitUntilVisible } from '../support/waitFor.ts';

/** Drives the provider's own page, which belongs to the simulator. */
export class ProviderSignInPage {
  readonly heading: Locator;
  readonly name: Locator;
  readonly email: Locator;
  readonly continue: Locator;
  readonly cancel: Locator;

  constructor(page: Page) {
    this.heading = page.getByRole('heading', { name: 'Sign in to Nolo' });
    this.name = page.getByRole('textbox', { name: 'Name' });
    this.email = page.getByRole('textbox', { name: 'Email' });
    this.continue = page.getByRole('button', { name: 'Continue' });
    this.cancel = page.getByRole('button', { name: 'Cancel' });
  }

  async signInAs(name: string, email: string): Promise<void> {
    await waitUntilVisible(this.heading);
    await this.name.fill(name);
    await this.email.fill(email);
    await this.continue.click();
  }
}
