import type { Page } from 'playwright-core';
import { createFriends, sendMessage } from './support/cast.ts';
import { setUpJourney, type BrowserUser } from './support/journey.ts';
import { findOverflow } from './support/findOverflow.ts';
import { waitUntilVisible } from './support/waitFor.ts';

const { story, openPage, url } = setUpJourney();

const dialog = (page: Page) => page.getByRole('dialog').or(page.getByRole('alertdialog'));

story('a phone has no sideways overflow, in either direction, and the page itself never scrolls', async () => {
  const { ada, ben, id } = await createFriends(url(), ['One', 'Two', 'unbreakable'.repeat(30)]);
  await sendMessage(ben, id, 'https://example.com/' + 'long/'.repeat(40));
  const found: string[] = [];
  const guest = await openPage({ device: 'phone' });
  const person = await openPage({ device: 'phone', as: ada.user });
  const heading = (page: Page) => waitUntilVisible(page.getByRole('heading').filter({ visible: true }));
  for (const language of ['de', 'ar-x-pseudo'] as const) {
    const checkScreen = async ({ page, go }: BrowserUser, path: string, ready: (page: Page) => Promise<unknown>) => {
      await go(`${path}?lang=${language}`);
      await ready(page);
      expect(await page.evaluate('document.documentElement.lang')).toBe(language);
      found.push(...(await findOverflow(page)).map((one) => `${path} in ${language}: ${one}`));
      if (page === guest.page) return;
      const beyond = await page.evaluate('document.scrollingElement.scrollHeight - innerHeight');
      expect([path, beyond]).toEqual([path, 0]);
    };

    await checkScreen(guest, '/', heading);
    await guest.page.locator('button[data-open-phone]').filter({ visible: true }).last().click();
    await waitUntilVisible(guest.page.locator('input[type=tel]'));
    found.push(...(await findOverflow(guest.page)).map((one) => `phone form in ${language}: ${one}`));
    await checkScreen(guest, '/nowhere', heading);

    await checkScreen(person, '/', (page) => waitUntilVisible(page.getByText('example.com')));
    await checkScreen(person, `/chat/${id}`, (page) => waitUntilVisible(page.getByText('unbreakable')));
    await checkScreen(person, '/contacts', (page) => waitUntilVisible(page.getByText(ben.name)));
    await person.page.getByRole('main').getByRole('button').first().click();
    await waitUntilVisible(dialog(person.page));
    found.push(...(await findOverflow(person.page)).map((one) => `add contact in ${language}: ${one}`));
    await checkScreen(person, '/profile', (page) => waitUntilVisible(page.getByText(ada.name)));
    await checkScreen(person, '/privacy', heading);
  }
  expect(found).toEqual([]);
});
