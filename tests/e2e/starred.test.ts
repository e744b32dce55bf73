import type { Locator } from 'playwright-core';
import { ConversationPage } from './pages/ConversationPage.ts';
import { findAxeIssues } from './support/accessibility.ts';
import { createFriends, sendMessage } from './support/cast.ts';
import { createGroupWith } from './support/groups.ts';
import { setUpJourney, getUrlWithoutServiceWorker } from './support/journey.ts';
import { waitForPath, waitUntilHidden, waitUntilVisible } from './support/waitFor.ts';
import { en, enMessages } from './support/words.ts';

const { story, openPage, url } = setUpJourney(getUrlWithoutServiceWorker);

/** Returns the scroll position of a list. The tests have no DOM types. */
const placeOf = (list: Locator): Promise<number> =>
  list.evaluate((element: { parentElement: { scrollTop: number } }) => element.parentElement.scrollTop);

story('a starred message opens in context, and the list of them stays as it was', async () => {
  const { ada, ben, id } = await createFriends(url());
  const group = await createGroupWith(ada, 'Sunday hikers', [ben]);
  const star = async (conversationId: string, text: string) => {
    const { id: messageId } = await sendMessage(ben, conversationId, text);
    expect((await ada.user.api.put(`/api/messages/${messageId}/star`)).status).toBe(204);
  };
  await star(group.id, 'Bring a flask');
  for (let line = 10; line < 30; line += 1) await star(id, `Line ${String(line)}`);

  const { page } = await openPage({ as: ada.user, path: '/starred' });
  const list = page.getByRole('list', { name: enMessages.starred.title });
  const row = (text: string) => list.getByRole('link').filter({ hasText: text });
  await row('Line 10').scrollIntoViewIfNeeded();
  const place = await placeOf(list);
  expect(place).toBeGreaterThan(0);
  await row('Line 10').click();
  await waitForPath(page, `/starred/chat/${id}`);
  const chat = new ConversationPage(page, ben.name);
  await waitUntilVisible(chat.message('Line 10'), list.locator('[aria-current=page]').filter({ hasText: 'Line 10' }));
  expect(await placeOf(list)).toBe(place);
  // If a conversation has several starred messages, the selected one is highlighted.
  await row('Line 12').click();
  await waitUntilVisible(chat.message('Line 12'), list.locator('[aria-current=page]').filter({ hasText: 'Line 12' }));
  expect(await list.locator('[aria-current=page]').count()).toBe(1);
  expect(await findAxeIssues(page, 'a starred message beside its list', 'light')).toEqual([]);

  // The details pane is available next to the conversation here too.
  await chat.info.click();
  await waitUntilVisible(page.getByRole('heading', { name: en.shell.details }));
  await row('Bring a flask').click();
  await waitForPath(page, `/starred/group-chat/${group.id}`);
  await waitUntilVisible(page.getByRole('article').filter({ hasText: 'Bring a flask' }));
  await waitUntilHidden(page.getByRole('heading', { name: en.shell.details }));

  // Unstarring a message removes it from the list, and starring it again brings it back.
  await row('Line 12').click();
  await waitUntilVisible(chat.message('Line 12'));
  await list
    .getByRole('listitem')
    .filter({ hasText: 'Line 12' })
    .getByRole('button', { name: enMessages.unstar })
    .click();
  await waitUntilHidden(row('Line 12'));
  await chat.openMenu('Line 12');
  await chat.choose(enMessages.star);
  await waitUntilVisible(row('Line 12'));

  const phone = await openPage({ as: ada.user, path: '/starred', device: 'phone' });
  const phoneList = phone.page.getByRole('list', { name: enMessages.starred.title });
  const phoneRow = phoneList.getByRole('link').filter({ hasText: 'Line 10' });
  await phoneRow.scrollIntoViewIfNeeded();
  const before = await placeOf(phoneList);
  expect(before).toBeGreaterThan(0);
  for (const leave of [
    () => phone.page.goBack(),
    () => phone.page.getByRole('link', { name: en.common.back, exact: true }).click(),
  ]) {
    await phoneRow.click();
    await waitUntilVisible(new ConversationPage(phone.page, ben.name).message('Line 10'));
    await waitUntilHidden(phoneList);
    await leave();
    await waitForPath(phone.page, '/starred');
    await waitUntilVisible(phoneList);
    expect(await placeOf(phoneList)).toBe(before);
  }
});
