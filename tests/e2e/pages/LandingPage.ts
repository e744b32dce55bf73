import type { Locator, Page } from 'playwright-core';
import { en } from '../support/words.ts';
import { PhoneSignInPage } from './PhoneSignInPage.ts';

/** Drives the page at `/` for signed-out users. */
export class LandingPage {
  readonly page: Page;
  readonly headline: Locator;
  readonly phone: Locator;
  readonly getStarted: Locator;
  readonly signIn: Locator;
  readonly traditionalSignIn: Locator;

  constructor(page: Page) {
    this.page = page;
    this.headline = page.getByRole('heading', { name: en.landing.headline });
    this.phone = page.getByRole('button', { name: en.landing.phone, exact: true });
    this.getStarted = page.getByRole('button', { name: en.landing.getStartedWithPhone });
    this.signIn = page.getByRole('link', { name: en.landing.signIn, exact: true });
    this.traditionalSignIn = page.getByRole('link', { name: en.landing.traditionalSignIn });
  }

  async startWithPhone(): Promise<PhoneSignInPage> {
    await this.getStarted.click();
    return new PhoneSignInPage(this.page);
  }
}
