import { buffer } from 'node:stream/consumers';
import { parseAccountExport } from '@nolo/testing';
import { PhoneSignInPage } from './pages/PhoneSignInPage.ts';
import { createFriends, sendMessage } from './support/cast.ts';
import { setUpJourney } from './support/journey.ts';
import { expireProof } from './support/proof.ts';
import { waitUntilVisible } from './support/waitFor.ts';
import { en, fillPlaceholders as fill } from './support/words.ts';

const { story, openPage, url } = setUpJourney();
const words = en.profile.archive;

story('my data is collected while I watch, and I confirm that it is me to download it as one archive', async () => {
  const { ada, id } = await createFriends(url());
  await sendMessage(ada, id, 'To be taken along');
  const { page } = await openPage({ as: ada.user, path: '/settings/account' });
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
  const { data, files } = parseAccountExport(await buffer(await download.createReadStream()));
  expect(JSON.stringify(data['messages'])).toContain('To be taken along');
  expect(data['account']).toMatchObject({ profile: { id: ada.user.id } });
  expect(Object.keys(files)).toContain('index.html');
});
