import type { Locator, Page } from 'playwright-core';
import { enStatus, fillPlaceholders } from '../support/words.ts';

/** Drives status updates of the user and of others. */
export class StatusPage {
  readonly page: Page;
  readonly heading: Locator;
  readonly add: Locator;
  readonly dialog: Locator;
  readonly text: Locator;
  readonly post: Locator;
  /** Tiles of the user's own status. */
  readonly own: Locator;
  /** Updates that are not sent yet. */
  readonly unsent: Locator;
  readonly viewer: Locator;

  constructor(page: Page) {
    this.page = page;
    this.heading = page.getByRole('heading', { name: enStatus.title, level: 1 });
    this.add = page.getByRole('button', { name: enStatus.add });
    this.dialog = page.getByRole('dialog', { name: enStatus.create.title });
    this.text = this.dialog.getByRole('textbox', { name: enStatus.create.words });
    this.post = this.dialog.getByRole('button', { name: enStatus.create.post });
    this.own = page.locator('[data-status]');
    this.unsent = page.locator('[data-unsent]');
    this.viewer = page.getByRole('group', { name: enStatus.viewer.label });
  }

  /** Finds an author's row. Pressing it opens what they posted. */
  author(name: string): Locator {
    return this.page.locator('[data-author]').filter({ hasText: name });
  }

  /** Finds the viewer by the name in its header. */
  viewing(name: string): Locator {
    return this.page.getByRole('dialog', { name });
  }

  newOnes(name: string, count: number): Locator {
    return this.author(name).getByText(fillPlaceholders(enStatus.new_one, { count }));
  }
}
