import type { Locator, Page } from 'playwright-core';
import { waitUntilVisible } from '../support/waitFor.ts';
import { en, enCall, enCalls, enGroup, enGroups, fillPlaceholders } from '../support/words.ts';
import { ConversationPage } from './ConversationPage.ts';

type MemberItem = 'makeAdmin' | 'unmakeAdmin' | 'handOver' | 'remove' | 'ban';

/** Drives a group and its details pane, from the side of one of its members. */
export class GroupPage extends ConversationPage {
  /** Button in the header, which is also in the list. */
  readonly startVideo: Locator;
  /** Button that replaces it during a call. */
  readonly joinVideo: Locator;
  /** Incoming call of the group. */
  readonly ringing: Locator;
  /** Button in the group's message about a call in progress. */
  readonly joinCall: Locator;
  readonly whoIsInCall: Locator;
  readonly share: Locator;
  readonly members: Locator;
  readonly invited: Locator;
  readonly requests: Locator;
  readonly unapprovedMessages: Locator;

  constructor(page: Page, name: string) {
    super(page, name);
    this.startVideo = page.getByRole('button', { name: fillPlaceholders(enCall.videoWith, { name }) }).last();
    this.joinVideo = page.getByRole('button', { name: fillPlaceholders(enCall.joinVideoOf, { name }) }).last();
    this.ringing = page.getByRole('alertdialog', { name });
    this.whoIsInCall = this.feed.getByRole('button', { name: enGroup.whoInCall, exact: true });
    this.joinCall = this.feed.getByRole('button', { name: enGroup.joinCall, exact: true });
    this.share = page.getByRole('button', { name: fillPlaceholders(enGroup.shareOf, { name }) });
    this.members = page.getByRole('region', { name: enGroups.details.members });
    this.invited = page.getByRole('region', { name: enGroups.details.invited });
    this.requests = page.getByRole('region', { name: enGroups.requests.title });
    this.unapprovedMessages = page.getByRole('region', { name: enGroups.held.title });
  }

  answer(how: 'answerVideo' | 'answerAudio' | 'decline'): Locator {
    return this.ringing.getByRole('button', { name: enCalls[how], exact: true });
  }

  count(count: number): Locator {
    const sentence = count === 1 ? enGroup.members_one : enGroup.members_other;
    return this.page.getByText(fillPlaceholders(sentence, { count }), { exact: true });
  }

  /** Finds a system message. */
  systemMessage(text: string): Locator {
    return this.feed.getByText(text, { exact: true });
  }

  async openDetails(): Promise<void> {
    if (!(await this.members.isVisible())) await this.info.click();
    await waitUntilVisible(this.members);
  }

  member(name: string): Locator {
    return this.members.getByRole('listitem').filter({ hasText: name });
  }

  async decide(name: string, item: MemberItem): Promise<void> {
    await this.openDetails();
    await this.members.getByRole('button', { name: fillPlaceholders(enGroups.details.actionsFor, { name }) }).click();
    await this.page.getByRole('menuitem', { name: enGroups.details[item] }).click();
  }

  async action(label: string): Promise<void> {
    await this.openDetails();
    await this.page.getByRole('button', { name: label, exact: true }).click();
  }

  async confirm(label: string): Promise<void> {
    await this.page.getByRole('alertdialog').getByRole('button', { name: label, exact: true }).click();
  }

  dialog(name: string): Locator {
    return this.page.getByRole('dialog', { name });
  }

  async answerRequest(name: string, how: 'approveNamed' | 'declineNamed'): Promise<void> {
    await this.openDetails();
    await this.requests.getByRole('button', { name: fillPlaceholders(enGroups.requests[how], { name }) }).click();
  }

  async leave(): Promise<void> {
    await this.action(enGroups.details.leave);
    await this.confirm(enGroups.confirm.leave);
  }

  async closeDialog(name: string): Promise<void> {
    await this.dialog(name).getByRole('button', { name: en.common.close }).click();
  }
}
