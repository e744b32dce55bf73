import type { Locator, Page } from 'playwright-core';
import type { BrowserInputFile } from '../support/mediaFiles.ts';
import { waitUntilVisible } from '../support/waitFor.ts';
import { en, enMedia, enVoice, fillPlaceholders } from '../support/words.ts';
import { ConversationPage } from './ConversationPage.ts';

type Choice = 'attachPictures' | 'attachFile' | 'attachCamera';

/** Drives a conversation with pictures, files and voice notes, from the side of one of its people. */
export class MediaConversationPage extends ConversationPage {
  readonly attach: Locator;
  readonly record: Locator;
  readonly pendingAttachments: Locator;
  readonly viewer: Locator;
  readonly shared: Locator;
  readonly recorder: Locator;
  readonly progress: Locator;
  /** Dialog about files that may reveal where they were created. */
  readonly placeQuestion: Locator;

  constructor(page: Page, name: string) {
    super(page, name);
    this.attach = page.getByRole('button', { name: en.conversation.attach, exact: true });
    this.record = page.getByRole('button', { name: en.conversation.record, exact: true });
    this.pendingAttachments = page.getByRole('region', { name: enMedia.pending.label });
    this.viewer = page.getByRole('dialog').filter({ has: page.getByRole('group', { name: enMedia.viewer.hint }) });
    this.shared = page.getByRole('region', { name: enMedia.shared.title });
    this.recorder = page.getByRole('group', { name: enVoice.bar, exact: true });
    this.progress = page.getByRole('progressbar');
    this.placeQuestion = page.getByRole('alertdialog', { name: enMedia.place.title_one });
  }

  override async choose(item: string): Promise<void> {
    await this.menu.getByRole('menuitem', { name: item, exact: true }).click();
  }

  /** Adds files to the pending attachments by the attach button. */
  async give(files: readonly BrowserInputFile[], choice: Choice = 'attachPictures'): Promise<void> {
    await this.attach.click();
    const chooser = this.page.waitForEvent('filechooser');
    await this.choose(en.conversation[choice]);
    await (await chooser).setFiles([...files]);
    await waitUntilVisible(this.pendingAttachments);
  }

  tile(name: string): Locator {
    return this.pendingAttachments.getByRole('button', { name: fillPlaceholders(enMedia.pending.choose, { name }) });
  }

  sendFiles(count: number): Locator {
    const sentence = count === 1 ? en.conversation.sendFiles_one : en.conversation.sendFiles_other;
    return this.page.getByRole('button', { name: fillPlaceholders(sentence, { count }), exact: true });
  }

  captionOf(file: string): Locator {
    return this.page.getByRole('textbox', { name: fillPlaceholders(en.conversation.captionFor, { file }) });
  }

  /** Finds the pictures and videos of a person in the list; "You" is the user. */
  pictures(name: string): Locator {
    return this.feed.getByRole('button', { name: fillPlaceholders(enMedia.openPicture, { name }), exact: true });
  }

  videos(name: string): Locator {
    return this.feed.getByRole('button', { name: fillPlaceholders(enMedia.openVideo, { name }), exact: true });
  }

  file(name: string): Locator {
    return this.feed.getByRole('link', { name: fillPlaceholders(enMedia.downloadNamed, { name }) });
  }

  voiceNotes(): Locator {
    return this.feed.getByRole('group', { name: /^Voice message from/ });
  }

  /** Returns true if a picture has loaded and is not an empty frame. */
  async isDrawn(picture: Locator): Promise<boolean> {
    const image = picture.locator('xpath=..').locator('img');
    if ((await image.count()) === 0) return false;
    return await image.first().evaluate((element: { naturalWidth: number }) => element.naturalWidth > 0);
  }
}
