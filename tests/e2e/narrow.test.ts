import type { Page } from 'playwright-core';
import { friends, say } from './support/cast.ts';
import { journey, type Visitor } from './support/journey.ts';
import { overflow } from './support/overflow.ts';
import { see } from './support/see.ts';

const { story, visit, url } = journey();

const dialog = (page: Page) => page.getByRole('dialog').or(page.getByRole('alertdialog'));

story('on a phone only the parts of the app scroll, never the page under them', async () => {
  const { ada, id } = await friends(url(), ['One']);
  const person = await visit({ device: 'phone', as: ada.user });
  for (const path of ['/', `/chat/${id}`, '/contacts', '/profile', '/privacy']) {
    await person.go(path);
    await see(person.page.getByRole('heading').filter({ visible: true }).first());
    const beyond = await person.page.evaluate('document.scrollingElement.scrollHeight - innerHeight');
    expect([path, beyond]).toEqual([path, 0]);
  }
});

for (const language of ['de', 'ar-x-pseudo'] as const) {
  story(`nothing sticks out at the side of a phone in ${language}`, async () => {
    const { ada, ben, id } = await friends(url(), ['One', 'Two', 'unbreakable'.repeat(30)]);
    await say(ben, id, 'https://example.com/' + 'long/'.repeat(40));
    const found: string[] = [];
    const look = async (visitor: Visitor, path: string, ready: (page: Page) => Promise<unknown>) => {
      await visitor.go(`${path}?lang=${language}`);
      await ready(visitor.page);
      expect(await visitor.page.evaluate('document.documentElement.lang')).toBe(language);
      found.push(...(await overflow(visitor.page)).map((one) => `${path}: ${one}`));
    };
    const heading = (page: Page) => see(page.getByRole('heading').filter({ visible: true }));

    const guest = await visit({ device: 'phone' });
    await look(guest, '/', heading);
    await guest.page.locator('button[data-open-phone]').filter({ visible: true }).last().click();
    await see(guest.page.locator('input[type=tel]'));
    found.push(...(await overflow(guest.page)).map((one) => `phone form: ${one}`));
    await look(guest, '/nowhere', heading);

    const person = await visit({ device: 'phone', as: ada.user });
    await look(person, '/', (page) => see(page.getByText('example.com')));
    await look(person, `/chat/${id}`, (page) => see(page.getByText('unbreakable')));
    await look(person, '/contacts', (page) => see(page.getByText(ben.name)));
    await person.page.getByRole('main').getByRole('button').first().click();
    await see(dialog(person.page));
    found.push(...(await overflow(person.page)).map((one) => `add contact: ${one}`));
    await look(person, '/profile', (page) => see(page.getByText(ada.name)));
    await look(person, '/privacy', heading);
    expect(found).toEqual([]);
  });
}
