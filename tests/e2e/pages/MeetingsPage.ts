import type { Locator, Page } from 'playwright-core';
import { waitForPath, waitUntilVisible } from '../support/waitFor.ts';
import { enMeeting, enMeetings, fillPlaceholders } from '../support/words.ts';

type Setting = 'waitingRoom' | 'allowGuests' | 'screenShare' | 'muteOnEntry' | 'recording';

/** Drives the list of the user's meetings, and the ways to create and join one. */
export class MeetingsPage {
  readonly page: Page;
  readonly heading: Locator;
  readonly createButton: Locator;
  readonly joinButton: Locator;
  readonly creating: Locator;
  readonly joining: Locator;
  readonly code: Locator;

  constructor(page: Page) {
    this.page = page;
    this.heading = page.getByRole('heading', { level: 1, name: enMeetings.title });
    this.createButton = page.getByRole('button', { name: enMeetings.create, exact: true });
    this.joinButton = page.getByRole('button', { name: enMeetings.join, exact: true });
    this.creating = page.getByRole('dialog', { name: enMeetings.form.createTitle });
    this.joining = page.getByRole('dialog', { name: enMeetings.joinForm.title });
    this.code = this.joining.getByRole('textbox', { name: enMeetings.joinForm.code });
  }

  card(name: string): Locator {
    return this.page.getByRole('article', { name });
  }

  /** Creates a meeting that begins now, which leads to its pre-join page. Returns its room code. */
  async create(name: string, settings: readonly Setting[] = []): Promise<string> {
    await this.createButton.click();
    await this.creating.getByRole('textbox', { name: enMeetings.form.name }).fill(name);
    if (settings.length > 0) await this.creating.getByRole('button', { name: enMeetings.form.options }).click();
    for (const setting of settings) {
      await this.creating.getByRole('switch', { name: enMeetings.form[setting] }).click();
    }
    await this.creating.getByRole('button', { name: enMeetings.form.submit, exact: true }).click();
    await waitForPath(this.page, /^\/meeting\/[2-9A-Z]{6}$/);
    return new URL(this.page.url()).pathname.split('/').at(-1) ?? '';
  }

  async join(code: string): Promise<void> {
    await this.joinButton.click();
    await this.code.fill(code);
    await this.joining.getByRole('button', { name: enMeetings.joinMeeting }).click();
  }

  async choose(name: string, item: keyof typeof enMeetings.menu): Promise<void> {
    await this.card(name)
      .getByRole('button', { name: fillPlaceholders(enMeetings.moreFor, { name }) })
      .click();
    await this.page.getByRole('menuitem', { name: enMeetings.menu[item] }).click();
  }

  async seeNotFound(): Promise<void> {
    await waitUntilVisible(this.joining.getByText(enMeeting.over.not_found.title, { exact: true }));
  }
}
