import type { Locator, Page } from 'playwright-core';
import { waitUntilVisible } from '../support/waitFor.ts';
import { en } from '../support/words.ts';

const words = en.keys;

/** Page of the user's devices and recovery words. */
export class DevicesPage {
  readonly page: Page;
  readonly dialog: Locator;

  constructor(page: Page) {
    this.page = page;
    this.dialog = page.locator('[data-dialog]').last();
  }

  async open(): Promise<void> {
    await this.page.goto('/settings/devices');
  }

  button(name: string): Locator {
    return this.page.getByRole('button', { name, exact: true });
  }

  /** Waits until this device has keys. */
  async waitForKeys(): Promise<void> {
    await waitUntilVisible(this.button(words.add.open));
  }

  /** Rows of devices that another one added. The date tells them from notices of the same. */
  get addedRows(): Locator {
    const [added = '', by = ''] = words.row.byDevice.split(/\{\{\w+\}\}/u);
    return this.page.getByRole('listitem').filter({ hasText: new RegExp(`${added}\\d.*${by}`, 'u') });
  }

  get firstRow(): Locator {
    const [first = ''] = words.row.first.split('{{');
    return this.page.getByRole('listitem').filter({ hasText: first });
  }

  get restoredRow(): Locator {
    const [, restored = ''] = words.row.byRecovery.split('}}');
    return this.page.getByRole('listitem').filter({ hasText: restored });
  }

  /** Opens the ways to set this device up. */
  async beginSetUp(way: 'code' | 'digits' | 'words' | 'passkey' | 'over'): Promise<void> {
    const card = this.page.locator('section').filter({ hasText: words.setUp.cardTitle });
    await card.getByRole('button', { name: words.setUp.open }).click();
    await this.dialog.getByRole('button', { name: words.setUp[way] }).click();
  }

  /** Brings this device in by the recovery words. */
  async restoreByWords(written: readonly string[]): Promise<void> {
    await this.beginSetUp('words');
    await this.dialog.getByRole('textbox').fill(written.join(' '));
    await this.button(words.words.restore).click();
    await this.waitForKeys();
  }

  /** Starts over with new keys on this device, which has no part in the account's keys. */
  async startOver(): Promise<void> {
    await this.beginSetUp('over');
    await this.page.getByRole('alertdialog').getByRole('button', { name: words.startOver.confirm }).click();
    await this.waitForKeys();
  }

  /** Opens the devices that ask to be added, from the banner that says so. */
  async reviewRequest(): Promise<void> {
    const [, asked = ''] = words.add.askedTitle.split('}}');
    await this.page
      .getByRole('status')
      .filter({ hasText: asked })
      .getByRole('button', { name: words.add.review })
      .click();
  }

  /** Number that this device shows for the other one. */
  async digits(): Promise<string> {
    const shown = this.dialog.locator('[data-link-digits]');
    await waitUntilVisible(shown);
    return (await shown.textContent()) ?? '';
  }

  async typeDigits(digits: string): Promise<void> {
    await this.dialog.getByRole('textbox').fill(digits);
    await this.dialog.getByRole('button', { name: words.link.continue }).click();
  }

  /** Waits until the device is added, and closes the dialog. */
  async finishLink(): Promise<void> {
    await this.dialog.getByRole('button', { name: words.link.done, exact: true }).click();
  }

  /** Creates recovery words and sets them. Returns them. */
  async setRecoveryWords(): Promise<string[]> {
    const card = this.page.locator('section').filter({ hasText: words.recovery.text });
    await card.getByRole('button', { name: words.recovery.setUp, exact: true }).click();
    await this.dialog.getByRole('button', { name: words.recovery.next }).click();
    await this.dialog.getByRole('button', { name: words.recovery.show }).click();
    const shown = await this.dialog.locator('[data-word]').allTextContents();
    await this.dialog.getByRole('button', { name: words.recovery.next }).click();
    for (const field of await this.dialog.getByRole('textbox').all()) {
      const label =
        (await field.evaluate((input: { labels: { textContent: string }[] }) => input.labels[0]?.textContent)) ?? '';
      await field.fill(shown[Number(/\d+/.exec(label)?.[0]) - 1] ?? '');
    }
    await this.dialog.getByRole('button', { name: words.recovery.save }).click();
    await waitUntilVisible(this.page.getByRole('dialog', { name: words.recovery.doneTitle }));
    await this.dialog.getByRole('button', { name: words.link.done, exact: true }).click();
    return shown;
  }
}
