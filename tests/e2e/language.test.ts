import deLanding from '../../web/locales/de/landing.json' with { type: 'json' };
import deContacts from '../../web/locales/de/contacts.json' with { type: 'json' };
import deProfile from '../../web/locales/de/profile.json' with { type: 'json' };
import de from '../../web/locales/de/app.json' with { type: 'json' };
import { readBrowserStores, waitForServiceWorker } from './support/browserStores.ts';
import { createCastMember } from './support/cast.ts';
import { setUpJourney } from './support/journey.ts';
import { waitUntilVisible, waitForExpectation } from './support/waitFor.ts';
import { en } from './support/words.ts';

const { story, openPage, url } = setUpJourney();

story('German is chosen once and stays: on reload, on another device, offline and signed out', async () => {
  const { user } = await createCastMember(url(), 'Ada Adams');
  const visitor = await openPage({ as: user, path: '/settings/appearance', installs: true });
  const { page, context } = visitor;
  const words = async () => (await readBrowserStores(page)).caches['nolo-words'] ?? [];
  const choice = page.getByRole('combobox', { name: en.profile.language });
  await waitUntilVisible(choice);
  await waitForServiceWorker(page);
  expect(await page.evaluate('performance.getEntriesByType("resource").map(({ name }) => name).join()')).not.toContain(
    'german-',
  );
  expect(await words()).toEqual([]);

  await choice.selectOption({ label: deProfile.languages.de });
  await waitUntilVisible(page.getByRole('heading', { name: deProfile.appearance }).first());
  expect(await page.evaluate('document.documentElement.lang')).toBe('de');
  const manifest = await page.locator('link[rel=manifest]').getAttribute('href');
  expect(await (await page.request.get(manifest ?? '')).json()).toMatchObject({ id: '/', lang: 'de' });
  // Pages that were never opened use the language offline as well.
  await waitForExpectation(async () => expect((await words()).length).toBeGreaterThan(20));
  await context.setOffline(true);
  await visitor.go('/contacts');
  await waitUntilVisible(
    page.getByText(de.shell.offline),
    page.getByRole('heading', { name: deContacts.title }).first(),
  );

  await context.setOffline(false);
  // The language belongs to the account: another device uses it as well.
  const { page: other } = await openPage({ as: user, path: '/contacts' });
  await waitUntilVisible(other.getByRole('heading', { name: deContacts.title }).first());

  await visitor.go('/profile');
  await page.getByRole('main').getByRole('button', { name: deProfile.logout, exact: true }).click();
  await page.getByRole('alertdialog').getByRole('button').last().click();
  await waitUntilVisible(page.getByRole('heading', { level: 1, name: deLanding.headline }));
});
