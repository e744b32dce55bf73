import type { Locator, Page } from 'playwright-core';
import { NewSheet } from './NewSheet.ts';
import { waitUntilVisible } from '../support/waitFor.ts';
import { en, enGroup, enGroups, enRoomCode, fillPlaceholders } from '../support/words.ts';

/** Drives the dialogs that lead to a group: create, join and share. */
export class GroupDialogs {
  readonly page: Page;
  readonly choosing: Locator;
  readonly creating: Locator;
  readonly creatingRoom: Locator;
  readonly joining: Locator;
  readonly code: Locator;
  readonly sharing: Locator;
  readonly sharedCode: Locator;
  readonly sharedLink: Locator;

  constructor(page: Page) {
    this.page = page;
    this.choosing = page.getByRole('dialog', { name: enGroups.choose.title });
    this.creating = page.getByRole('dialog', { name: enGroups.form.groupTitle, exact: true });
    this.creatingRoom = page.getByRole('dialog', { name: enGroups.form.roomTitle });
    this.joining = page.getByRole('dialog', { name: enGroups.joinForm.title });
    this.code = this.joining.getByRole('textbox', { name: enGroups.joinForm.code });
    this.sharing = page.getByRole('dialog', { name: enGroups.share.title });
    this.sharedCode = this.sharing.getByRole('textbox', { name: enRoomCode.code });
    this.sharedLink = this.sharing.getByRole('textbox', { name: enGroups.share.link });
  }

  /** Opens the menu of the sidebar's button or, on phones, the sheet with everything that can be started. */
  async open(kind: 'create' | 'createChat' | 'joinChat'): Promise<void> {
    const sheet = new NewSheet(this.page);
    await waitUntilVisible(sheet.button);
    const wide = (this.page.viewportSize()?.width ?? 0) >= 768;
    if (!wide) return sheet.begin(enGroup[kind]);
    await this.page.getByRole('button', { name: enGroup.newGroup, exact: true }).first().click();
    await this.page.getByRole('menuitem', { name: enGroup[kind], exact: true }).click();
  }

  /** Chooses people by their names. */
  async choose(dialog: Locator, names: readonly string[]): Promise<void> {
    for (const name of names) {
      await dialog.getByRole('searchbox', { name: enGroups.form.search }).fill(name);
      await dialog.getByRole('checkbox', { name }).check();
    }
  }

  /** Creates a group of people, which opens its share dialog. Returns its room code. */
  async create(name: string, people: readonly string[]): Promise<string> {
    await this.open('create');
    await this.creating.getByRole('textbox', { name: enGroups.form.name }).fill(name);
    await this.choose(this.creating, people);
    await this.creating.getByRole('button', { name: enGroups.form.submit }).click();
    await waitUntilVisible(this.sharing);
    return await this.sharedCode.inputValue();
  }

  async createRoom(name: string, who: 'public' | 'private'): Promise<string> {
    await this.open('createChat');
    await this.creatingRoom.getByRole('textbox', { name: enGroups.form.roomName }).fill(name);
    await this.creatingRoom.getByRole('radio', { name: enGroups.form[who] }).check({ force: true });
    await this.creatingRoom.getByRole('button', { name: enGroups.form.submitRoom }).click();
    await waitUntilVisible(this.sharing);
    return await this.sharedCode.inputValue();
  }

  async openShared(): Promise<void> {
    await this.sharing.getByRole('button', { name: enGroups.share.open }).click();
  }

  async join(code: string): Promise<void> {
    await this.open('joinChat');
    await this.code.fill(code);
    await this.submitCode();
  }

  async submitCode(): Promise<void> {
    await this.joining.getByRole('button', { name: enGroups.joinForm.submit }).click();
  }
}

/** Drives the page of a group's code, for a user who is not a member. */
export class GroupJoinPage {
  readonly page: Page;
  readonly join: Locator;
  readonly askToJoin: Locator;
  readonly waiting: Locator;
  readonly withdraw: Locator;
  readonly notFound: Locator;
  readonly goHome: Locator;

  constructor(page: Page) {
    this.page = page;
    this.join = page.getByRole('button', { name: enGroups.admission.join, exact: true });
    this.askToJoin = page.getByRole('button', { name: enGroups.admission.ask, exact: true });
    this.waiting = page.getByRole('heading', { name: enGroups.admission.waitingTitle });
    this.withdraw = page.getByRole('button', { name: enGroups.admission.withdraw, exact: true });
    this.notFound = page.getByRole('heading', { name: en.chats.groupNotFound });
    this.goHome = page.getByRole('link', { name: en.common.goBackHome });
  }

  name(name: string): Locator {
    return this.page.getByRole('heading', { level: 1, name });
  }

  banned(name: string): Locator {
    return this.page.getByRole('heading', { name: fillPlaceholders(enGroups.admission.bannedTitle, { name }) });
  }

  full(name: string): Locator {
    return this.page.getByRole('heading', { name: fillPlaceholders(enGroups.admission.fullTitle, { name }) });
  }
}
