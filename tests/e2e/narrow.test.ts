import type { Page } from 'playwright-core';
import { friends, say } from './support/cast.ts';
import { journey, type Visitor } from './support/journey.ts';
import { overflow } from './support/overflow.ts';
import { see } from './support/see.ts';

const { story, visit, url } = journey();

const dialog = (page: Page) => page.getByRole('dialog').or(page.getByRole('alertdialog'));

story('nothing sticks out at the side of a phone, in either direction, and the page itself never scrolls', async () => {
  const { ada, ben, id } = await friends(url(), ['One', 'Two', 'unbreakable'.repeat(30)]);
  await say(ben, id, 'https://example.com/' + 'long/'.repeat(40));
  const found: string[] = [];
  const guest = await visit({ device: 'phone' });
  const person = await visit({ device: 'phone', as: ada.user });
  const heading = (page: Page) => see(page.getByRole('heading').filter({ visible: true }));
  for (const language of ['de', 'ar-x-pseudo'] as const) {
    const look = async ({ page, go }: Visitor, path: string, ready: (page: Page) => Promise<unknown>) => {
      await go(`${path}?lang=${language}`);
      await ready(page);
      expect(await page.evaluate('document.documentElement.lang')).toBe(language);
      found.push(...(await overflow(page)).map((one) => `${path} in ${language}: ${one}`));
      if (page === guest.page) return;
      const beyond = await page.evaluate('document.scrollingElement.scrollHeight - innerHeight');
      expect([path, beyond]).toEqual([path, 0]);
    };

    await look(guest, '/', heading);
    await guest.page.locator('button[data-open-phone]').filter({ visible: true }).last().click();
    await see(guest.page.locator('input[type=tel]'));
    found.push(...(await overflow(guest.page)).map((one) => `phone form in ${language}: ${one}`));
    await look(guest, '/nowhere', heading);

    await look(person, '/', (page) => see(page.getByText('example.com')));
    await look(person, `/chat/${id}`, (page) => see(page.getByText('unbreakable')));
    await look(person, '/contacts', (page) => see(page.getByText(ben.name)));
    await person.page.getByRole('main').getByRole('button').first().click();
    await see(dialog(person.page));
    found.push(...(await overflow(person.page)).map((one) => `add contact in ${language}: ${one}`));
    await look(person, '/profile', (page) => see(page.getByText(ada.name)));
    await look(person, '/privacy', heading);
  }
  expect(found).toEqual([]);
});
