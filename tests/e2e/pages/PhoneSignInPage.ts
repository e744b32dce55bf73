import type { Locator, Page } from 'playwright-core';
import { waitUntilVisible } from '../support/waitFor.ts';
import { en } from '../support/words.ts';
import { NamePage } from './NamePage.ts';

/** Drives both steps of signing in by phone. The dialog that links a number has the same fields. */
export class PhoneSignInPage {
  readonly page: Page;
  readonly heading: Locator;
  readonly number: Locator;
  readonly continue: Locator;
  readonly code: Locator;
  readonly complete: Locator;
  readonly back: Locator;

  constructor(page: Page) {
    this.page = page;
    this.heading = page.getByRole('heading', { name: en.auth.phoneTitle });
    this.number = page.getByRole('textbox', { name: en.auth.phoneLabel });
    this.continue = page.getByRole('button', { name: en.auth.continue });
    this.code = page.getByRole('textbox', { name: en.phoneForm.codeLabel });
    this.complete = page.getByRole('button', { name: en.phoneForm.completeRegistration });
    this.back = page.getByRole('button', { name: en.common.back });
  }

  async requestCode(phone: string): Promise<void> {
    await this.number.fill(phone);
    await this.continue.click();
    await waitUntilVisible(this.code);
  }

  /** Signs in with the demo code, which the page itself shows; its last digit submits it. */
  async signIn(phone: string): Promise<void> {
    await this.requestCode(phone);
    await this.code.fill(await this.demoCode());
  }

  async signUp(phone: string, firstName: string, lastName: string): Promise<void> {
    await this.signIn(phone);
    await new NamePage(this.page).introduce(firstName, lastName);
  }

  async demoCode(): Promise<string> {
    const hint = this.page.getByText(en.phoneForm.demoHint.split('{{')[0] ?? '');
    const [code] = /\d{6}/.exec(await hint.innerText()) ?? [];
    if (code === undefined) throw new Error('The page shows no demo code.');
    return code;
  }
}
