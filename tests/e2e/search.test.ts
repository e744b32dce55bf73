import { ConversationPage } from './pages/ConversationPage.ts';
import { ChatsPage } from './pages/ChatsPage.ts';
import { SearchPage } from './pages/SearchPage.ts';
import { Shell } from './pages/Shell.ts';
import { findAxeIssues } from './support/accessibility.ts';
import { createFriends } from './support/cast.ts';
import { setUpJourney } from './support/journey.ts';
import { waitForPath, waitUntilHidden, waitUntilVisible, waitForExpectation } from './support/waitFor.ts';
import { en } from './support/words.ts';

const { story, openPage, url } = setUpJourney();

story('an old message is found on a desktop and on a phone, and opens in context', async () => {
  const messageTexts = [
    'Wir treffen uns bei Müller am Bahnhof',
    'Gut. Der Fahrplan: https://example.org/fahrplan',
    ...Array.from({ length: 38 }, (_, place) => `Something else, number ${place}`),
  ];
  const { ada, ben, id } = await createFriends(url(), messageTexts);

  // Messages that are not on the device are found once it has loaded them.
  const adas = await openPage({ as: ada.user, path: '/' });
  await waitUntilVisible(new ChatsPage(adas.page).row(ben.name));
  await adas.page.goto('/search?q=mueller');
  await new SearchPage(adas.page).older.click();
  await waitUntilVisible(new SearchPage(adas.page).found.filter({ hasText: 'Müller am Bahnhof' }));

  // Ada searches with the keyboard alone, which has no umlauts.
  const shell = new Shell(adas.page);
  await adas.page.keyboard.press('Control+k');
  await shell.paletteField.fill('mueller');
  await waitUntilVisible(shell.paletteItem('bei Müller am Bahnhof'));
  expect(await findAxeIssues(adas.page, 'palette with messages', 'light')).toEqual([]);
  await adas.page.keyboard.press('Enter');
  await waitForPath(adas.page, `/chat/${id}`);
  const conversation = new ConversationPage(adas.page, ben.name);
  await waitUntilVisible(conversation.message('Müller'));
  const searchPage = new SearchPage(adas.page);
  await waitForExpectation(async () => expect(await searchPage.highlightedWords()).toEqual(['Müller']));

  // The search page opens the conversation next to the results, which stay.
  await adas.page.goto('/search?q=mueller');
  await searchPage.found.filter({ hasText: 'Müller am Bahnhof' }).click();
  await waitForPath(adas.page, `/search/chat/${id}?q=mueller`);
  await waitUntilVisible(conversation.message('Müller'), adas.page.locator('[data-result][aria-current=page]'));
  await waitForExpectation(async () => expect(await searchPage.highlightedWords()).toEqual(['Müller']));
  await searchPage.field.fill('fahrplan');
  await waitUntilVisible(searchPage.found.filter({ hasText: 'example.org' }), conversation.message('Müller'));
  await waitForPath(adas.page, `/search/chat/${id}?q=fahrplan`);

  // Ben mistypes the name in the list on his phone, and continues to the search.
  const bens = await openPage({ as: ben.user, device: 'phone', path: '/' });
  const search = new SearchPage(bens.page);
  await new ChatsPage(bens.page).search.fill('Banhhof');
  await search.row('Banhhof').click();
  await waitForPath(bens.page, /^\/search/);
  await search.older.click();
  await waitUntilVisible(search.near, search.found.filter({ hasText: 'Müller am Bahnhof' }));
  expect(await findAxeIssues(bens.page, 'search', 'light')).toEqual([]);
  await search.field.fill('fahrplan');
  await search.kind('link').click();
  await waitUntilVisible(search.found.filter({ hasText: 'example.org' }));
  await search.filter('who').selectOption({ label: en.common.you });
  await waitUntilVisible(search.found);
  await search.found.click();
  await waitForPath(bens.page, new RegExp(`^/search/chat/${id}\\?q=fahrplan`));
  await waitUntilVisible(new ConversationPage(bens.page, ada.name).message('Fahrplan'));
  await waitForExpectation(async () => expect(await search.highlightedWords()).toContain('Fahrplan'));
  await bens.page.getByRole('link', { name: en.common.back, exact: true }).click();
  await waitUntilVisible(search.found.filter({ hasText: 'example.org' }));

  // Ada deletes the message while he searches for it.
  await search.kind('all').click();
  await search.filter('who').selectOption('');
  await search.field.fill('treffen');
  await waitUntilVisible(search.found);
  const messages = await ada.user.api.get<{ id: string; content: string }[]>(
    `/api/conversations/${id}/messages?limit=100`,
  );
  const first = messages.body.find(({ content }) => content.includes('Müller'));
  expect((await ada.user.api.delete(`/api/messages/${first?.id}`)).status).toBeLessThan(300);
  // Results are those of the moment when he typed, so he types until the index has learned of the deletion.
  await waitForExpectation(async () => {
    await search.field.fill('treffe');
    await search.field.fill('treffen');
    await search.nothing.waitFor({ state: 'visible', timeout: 2_000 });
  });
  await waitUntilHidden(search.found);
});
