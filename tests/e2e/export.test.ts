import { buffer } from 'node:stream/consumers';
import { parseAccountExport } from '@nolo/testing';
import type { Page } from 'playwright-core';
import { ConversationPage } from './pages/ConversationPage.ts';
import { PhoneSignInPage } from './pages/PhoneSignInPage.ts';
import { createFriends } from './support/cast.ts';
import { setUpJourney } from './support/journey.ts';
import { deviceOpener } from './support/keys.ts';
import { expireProof } from './support/proof.ts';
import { waitUntilVisible } from './support/waitFor.ts';
import { en, enChatExport, enOpenExport, fillPlaceholders as fill } from './support/words.ts';

const journey = setUpJourney();
const { story, url } = journey;
const openDevices = deviceOpener(journey);
const words = en.profile.archive;

/** Opens a file of an export, and returns the dialog. */
async function chooseExport(page: Page, bytes: Buffer) {
  const dialog = page.getByRole('dialog');
  const choosing = page.waitForEvent('filechooser');
  await dialog.getByRole('button', { name: enOpenExport.choose }).click();
  await (await choosing).setFiles({ name: 'nolo-export.zip', mimeType: 'application/zip', buffer: bytes });
  return dialog;
}

story(
  'my data is collected while I watch, I confirm that it is me to download it, and my device opens it',
  async () => {
    const { ada, ben, id } = await createFriends(url(), ['To be taken along']);
    const { page, context, devices, go } = await openDevices(ada);
    const bens = await openDevices(ben);
    await Promise.all([devices.waitForKeys(), bens.devices.waitForKeys()]);
    // Chromium then downloads the archive, and opens no window that asks where to save it.
    await context.addInitScript('delete window.showSaveFilePicker');
    await go(`/chat/${id}`);
    const chat = new ConversationPage(page, ben.name);
    await chat.sendText('Lanterns on the pier');
    await waitUntilVisible(
      chat.deliveryIcon('Lanterns on the pier', 'sent').or(chat.deliveryIcon('Lanterns on the pier', 'delivered')),
    );

    await go('/settings/account');
    await page.getByRole('button', { name: en.profile.export, exact: true }).click();
    const button = page.getByRole('button', { name: words.download });
    await waitUntilVisible(page.getByText(words.ready), button);
    const downloading = page.waitForEvent('download');
    await expireProof(ada.user.id);
    await button.click();
    const phone = new PhoneSignInPage(page);
    await page.getByRole('button', { name: fill(en.security.proofSend, { number: ada.user.phone }) }).click();
    await phone.code.fill(await phone.demoCode());
    const download = await downloading;
    expect(download.suggestedFilename()).toBe('nolo-export.zip');
    const exported = await buffer(await download.createReadStream());
    const { data, files } = parseAccountExport(exported);
    expect(JSON.stringify(data['messages'])).toContain('To be taken along');
    expect(JSON.stringify(data['messages'])).not.toContain('Lanterns');
    expect(data['account']).toMatchObject({ profile: { id: ada.user.id } });
    expect(Object.keys(files)).toContain('index.html');

    await page.getByRole('button', { name: enOpenExport.open }).click();
    const dialog = await chooseExport(page, exported.subarray(0, exported.length / 2));
    await waitUntilVisible(dialog.getByText(enOpenExport.problems.damaged));
    await chooseExport(page, exported);
    const saving = page.waitForEvent('download');
    await dialog.getByRole('button', { name: enOpenExport.save }).click();
    const opened = parseAccountExport(await buffer(await (await saving).createReadStream()));
    await waitUntilVisible(
      page.getByText(enOpenExport.done),
      page.getByText(fill(enChatExport.counted_other, { count: 2 })),
    );
    const [path = ''] = Object.keys(opened.files).filter((name) => name.endsWith('Ben Botha/index.html'));
    const text = Buffer.from(opened.files[path] ?? []).toString();
    expect(text).toContain('Lanterns on the pier');
    expect(text).toContain('To be taken along');
  },
);
