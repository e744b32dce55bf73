import type { Locator, Page } from 'playwright-core';
import { en } from '../support/words.ts';

/** Drives the frame around the signed-in screens: tab bar on phones, rail on desktops. */
export class Shell {
  readonly page: Page;
  readonly offlineBanner: Locator;
  readonly reconnectingBanner: Locator;
  readonly lostBanner: Locator;
  readonly retry: Locator;
  readonly shortcutSheet: Locator;
  readonly palette: Locator;
  readonly paletteField: Locator;

  constructor(page: Page) {
    this.page = page;
    this.offlineBanner = page.getByText(en.shell.offline);
    this.reconnectingBanner = page.getByText(en.chats.reconnecting);
    this.lostBanner = page.getByText(en.chats.connectionLost);
    this.retry = page.getByRole('button', { name: en.common.retry });
    this.palette = page.getByRole('dialog', { name: en.palette.title });
    this.paletteField = this.palette.getByRole('combobox');
    this.shortcutSheet = page.getByRole('dialog', { name: en.shortcuts.title });
  }

  paletteItem(name: string): Locator {
    return this.palette.getByRole('option', { name });
  }

  link(section: 'chats' | 'contacts' | 'meetings' | 'status' | 'schedule' | 'profile'): Locator {
    const link = (name: string) =>
      this.page.getByRole('navigation', { name: en.nav.label }).getByRole('link', { name, exact: true });
    // The desktop rail names the profile link after the settings.
    return section === 'profile' ? link(en.nav.profile).or(link(en.chats.settings)) : link(en.nav[section]);
  }
}
