import { socialPlatformNames } from '@nolo/rules';
import { findSeriousAxeIssues } from './support/accessibility.ts';
import { createCastMember } from './support/cast.ts';
import { setUpJourney, getUrlWithoutServiceWorker } from './support/journey.ts';
import { aPhotograph, photoLocation } from './support/mediaFiles.ts';
import { waitUntilVisible, waitForExpectation } from './support/waitFor.ts';
import { en, enSocial, fillPlaceholders } from './support/words.ts';

const { story, openPage, url } = setUpJourney(getUrlWithoutServiceWorker);

story('connects a platform, schedules a post, cancels it and publishes another at once', async () => {
  const { user } = await createCastMember(url(), 'Ada Adams');
  const { page } = await openPage({ as: user, path: '/schedule' });
  await waitUntilVisible(
    page.getByRole('heading', { level: 1, name: enSocial.title }),
    page.getByText(enSocial.emptyTitle),
  );
  expect(await findSeriousAxeIssues(page, 'an empty schedule', 'light')).toEqual([]);

  await page.getByRole('button', { name: enSocial.schedulePost }).first().click();
  const dialog = page.getByRole('dialog', { name: enSocial.compose.newTitle });
  const submit = dialog.getByRole('button', { name: enSocial.compose.submitLater });
  await submit.click();
  await waitUntilVisible(page.getByText(enSocial.problems.scheduleContent.text));
  await dialog.getByRole('textbox', { name: enSocial.compose.content }).fill('At the sea');
  await submit.click();
  await waitUntilVisible(page.getByText(enSocial.problems.schedulePlatform.text));

  // The attached picture contains no location.
  await dialog.locator('input[type=file]').setInputFiles(await aPhotograph('Sea.jpg', '#1D4ED8', 800, 600));
  const picture = dialog.locator('img[src^="/objects/"]');
  await waitUntilVisible(picture);
  const stored = await page.request.get(`${(await picture.getAttribute('src')) ?? ''}?full`);
  expect(stored.status()).toBe(200);
  expect((await stored.body()).includes(photoLocation)).toBe(false);

  // Opens in a window of the platform, which closes itself and is noticed.
  const opening = page.waitForEvent('popup');
  await dialog
    .getByRole('button', {
      name: fillPlaceholders(enSocial.connect.connectTo, { platform: socialPlatformNames.twitter }),
    })
    .click();
  const platform = await opening;
  await platform.getByRole('link', { name: 'Allow' }).click();
  const account = dialog.getByRole('checkbox', { name: new RegExp(`^${socialPlatformNames.twitter}`) });
  // A platform connected from here is selected.
  await waitForExpectation(async () => expect(await account.isChecked()).toBe(true));
  await waitUntilVisible(
    dialog.getByRole('region', {
      name: fillPlaceholders(enSocial.compose.previewOf, { platform: socialPlatformNames.twitter }),
    }),
  );
  expect(await findSeriousAxeIssues(page, 'a post that is written', 'dark')).toEqual([]);
  await submit.click();
  await waitUntilVisible(page.getByText(enSocial.compose.scheduled));

  const card = page.getByRole('article', { name: 'At the sea' });
  await waitUntilVisible(card.getByText(enSocial.states.scheduled));
  await card.getByRole('button').click();
  await page.getByRole('menuitem', { name: enSocial.menu.cancel }).click();
  await waitUntilVisible(card.getByText(enSocial.states.cancelled));

  await page.getByRole('button', { name: enSocial.schedulePost }).first().click();
  await dialog.getByRole('textbox', { name: enSocial.compose.content }).fill('By the harbour');
  await account.check();
  await dialog.getByText(enSocial.compose.now, { exact: true }).click();
  await dialog.getByRole('button', { name: enSocial.compose.submitNow, exact: true }).click();
  await waitUntilVisible(page.getByText(fillPlaceholders(enSocial.compose.results, { done: 1, count: 1 })));
  await dialog.getByRole('button', { name: enSocial.compose.done, exact: true }).click();
  await waitUntilVisible(page.getByRole('article', { name: 'By the harbour' }).getByText(enSocial.states.published));
  await waitUntilVisible(page.getByRole('link', { name: en.nav.schedule }).first());
});
