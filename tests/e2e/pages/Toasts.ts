import type { Locator, Page } from 'playwright-core';
import { gone, see } from '../support/see.ts';
import { en } from '../support/words.ts';

/** The corner where the app says what happened, one thing at a time. */
export class Toasts {
  readonly region: Locator;
  /** What is shown now. */
  readonly shown: Locator;

  constructor(page: Page) {
    const [name = ''] = en.toast.region.split(' (');
    // A dialog takes everything around it from the tree of what can be reached, but not from the eyes.
    this.region = page.getByRole('region', { name, includeHidden: true });
    this.shown = this.region.locator('li');
  }

  async says(title: string, description?: string): Promise<void> {
    await see(this.shown.getByText(title, { exact: true }));
    if (description !== undefined) await see(this.shown.getByText(description, { exact: true }));
    expect(await this.shown.count()).toBe(1);
  }

  async dismiss(): Promise<void> {
    await this.shown.getByRole('button', { name: en.common.dismiss, includeHidden: true }).click();
    await gone(this.shown);
  }
}
