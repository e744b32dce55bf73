import type { Locator, Page } from 'playwright-core';
import { en } from '../support/words.ts';

/** Drives the list of contacts. */
export class ContactsPage {
  readonly page: Page;
  readonly add: Locator;
  readonly search: Locator;
  readonly emptyTitle: Locator;
  readonly dialog: Locator;
  readonly phoneNumber: Locator;
  readonly displayName: Locator;
  readonly submit: Locator;
  readonly byUsername: Locator;
  readonly username: Locator;
  /** User's own link and its code. */
  readonly ownLink: Locator;
  readonly link: Locator;
  /** Button next to the list, for the selected contact. */
  readonly message: Locator;

  constructor(page: Page) {
    this.page = page;
    const main = page.getByRole('main');
    this.add = main.getByRole('button', { name: en.contacts.add }).first();
    this.search = main.getByRole('searchbox', { name: en.contacts.searchLabel });
    this.message = main.getByRole('button', { name: en.contacts.message });
    this.emptyTitle = page.getByRole('heading', { name: en.contacts.emptyTitle });
    this.dialog = page.getByRole('dialog', { name: en.contacts.add });
    this.phoneNumber = this.dialog.getByRole('textbox', { name: en.contacts.phoneNumber });
    this.displayName = this.dialog.getByRole('textbox', { name: en.contacts.displayName });
    this.byUsername = this.dialog.getByRole('button', { name: en.contacts.byUsername });
    this.username = this.dialog.getByRole('textbox', { name: en.contacts.username });
    this.ownLink = page.getByRole('dialog', { name: en.contacts.ownLink });
    this.link = this.ownLink.getByRole('textbox', { name: en.contacts.link });
    this.submit = this.dialog.getByRole('button', { name: en.contacts.add });
  }

  /** Finds a contact's row. Pressing it opens their details and, on phones, the conversation. */
  row(name: string): Locator {
    return this.page.getByRole('main').getByRole('button').filter({ hasText: name });
  }

  async openConversation(name: string): Promise<void> {
    await this.row(name).click();
    if ((this.page.viewportSize()?.width ?? 0) >= 768) await this.message.click();
  }

  async addByUsername(username: string): Promise<void> {
    await this.search.waitFor();
    await this.add.click();
    await this.byUsername.click();
    await this.username.fill(username);
    await this.submit.click();
  }

  async openOwnLink(): Promise<void> {
    await this.page.getByRole('main').getByRole('button', { name: en.common.more }).first().click();
    await this.page.getByRole('menuitem', { name: en.contacts.ownLink }).click();
  }

  async addContact(phoneNumber: string, displayName = ''): Promise<void> {
    // The list of chats has a button of the same name.
    await this.search.waitFor();
    await this.add.click();
    await this.phoneNumber.fill(phoneNumber);
    await this.displayName.fill(displayName);
    await this.submit.click();
  }
}
