import { buffer } from 'node:stream/consumers';
import { openArchive } from '@nolo/testing';
import { friends, say } from './support/cast.ts';
import { journey } from './support/journey.ts';
import { see } from './support/see.ts';
import { en } from './support/words.ts';

const { story, visit, url } = journey();
const words = en.profile.archive;

story('what is kept of one is gathered while one looks, and downloaded as one archive', async () => {
  const { ada, id } = await friends(url());
  await say(ada, id, 'To be taken along');
  const { page } = await visit({ as: ada.user, path: '/settings/account' });
  await page.getByRole('button', { name: en.profile.export, exact: true }).click();
  const link = page.getByRole('link', { name: words.download });
  await see(page.getByText(words.ready), link);

  const downloading = page.waitForEvent('download');
  await link.click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe('nolo-export.zip');
  const { data, files } = openArchive(await buffer(await download.createReadStream()));
  expect(JSON.stringify(data['messages'])).toContain('To be taken along');
  expect(data['account']).toMatchObject({ profile: { id: ada.user.id } });
  expect(Object.keys(files)).toContain('index.html');
});
