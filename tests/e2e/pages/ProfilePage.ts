import type { Locator, Page } from 'playwright-core';
import { en, fillPlaceholders } from '../support/words.ts';

/** Drives the user's profile, devices and app settings. */
export class ProfilePage {
  readonly page: Page;
  readonly heading: Locator;
  readonly logout: Locator;
  readonly install: Locator;
  readonly linkPhone: Locator;
  readonly linkProvider: Locator;
  readonly signOutOthers: Locator;
  readonly receipts: Locator;
  readonly transcription: Locator;
  readonly picture: Locator;

  constructor(page: Page) {
    this.page = page;
    this.heading = page.getByRole('heading', { level: 1, name: en.profile.title });
    this.logout = page.getByRole('main').getByRole('button', { name: en.profile.logout });
    this.install = page.getByRole('button', { name: en.profile.installApp });
    this.linkPhone = page.getByRole('button', { name: en.profile.linkPhone });
    this.linkProvider = page.getByRole('button', { name: en.profile.linkProvider });
    this.signOutOthers = page.getByRole('button', { name: en.profile.signOutOthers });
    this.receipts = page.getByRole('switch', { name: en.profile.privacyChoices.shareReceipts.title });
    this.transcription = page.getByRole('switch', { name: en.profile.privacyChoices.transcribeVoiceNotes.title });
    this.picture = page.getByTestId('picture-input');
  }

  /** Finds the buttons that sign out one device each. */
  signOutDevice(): Locator {
    const [before = ''] = en.profile.signOutDevice.split('{{');
    return this.page
      .getByRole('button', { name: new RegExp(`^${before}`) })
      .and(this.page.getByRole('listitem').getByRole('button'));
  }

  confirm(): Locator {
    return this.page.getByRole('alertdialog').getByRole('button').last();
  }

  linkedNumber(phone: string): Locator {
    return this.page
      .getByRole('listitem')
      .filter({ hasText: en.auth.phoneLabel })
      .filter({ has: this.page.getByRole('button', { name: en.security.changeNumber }) })
      .getByText(fillPlaceholders('{{phone}}', { phone }));
  }
}
