import { ChatsPage } from './pages/ChatsPage.ts';
import { ContactsPage } from './pages/ContactsPage.ts';
import { ConversationPage } from './pages/ConversationPage.ts';
import { NewSheet } from './pages/NewSheet.ts';
import { findAxeIssues } from './support/accessibility.ts';
import { createFriends, createCastMember } from './support/cast.ts';
import { createGroupWith } from './support/groups.ts';
import { setUpJourney, getUrlWithoutServiceWorker } from './support/journey.ts';
import { waitForPath, waitUntilHidden, waitForFocus, waitUntilVisible } from './support/waitFor.ts';
import { en, enBegin, enGroups, enMessages, enRows, enShare, fillPlaceholders } from './support/words.ts';

const { story, openPage, url } = setUpJourney(getUrlWithoutServiceWorker);

story('starting something new finds a person by number and ends in the composer', async () => {
  const [ada, cleo] = [await createCastMember(url(), 'Ada Adams'), await createCastMember(url(), 'Cleo Cele')];
  const { page } = await openPage({ as: ada.user, path: '/' });
  const begin = new NewSheet(page);
  await begin.button.click();
  await waitForFocus(begin.search);
  expect(await findAxeIssues(page, 'the sheet of what is new', 'light')).toEqual([]);
  await begin.search.fill(cleo.user.phone);
  await waitUntilVisible(begin.person(cleo.name));
  await begin.search.press('Enter');
  const conversation = new ConversationPage(page, cleo.name);
  await waitForFocus(conversation.composer);
  await page.keyboard.type('Hello Cleo');
  await page.keyboard.press('Enter');
  await waitUntilVisible(new ChatsPage(page).row(cleo.name).getByText('Hello Cleo'));
});

story('the New sheet has your own link, to show and to scan', async () => {
  const ada = await createCastMember(url(), 'Ada Adams');
  const { page } = await openPage({ as: ada.user, path: '/' });
  await new NewSheet(page).begin(enBegin.link);
  const link = page.getByRole('dialog', { name: en.contacts.ownLink });
  await waitUntilVisible(link.getByRole('img', { name: en.contacts.linkPicture }));
  expect(await findAxeIssues(page, 'the own link', 'light')).toEqual([]);
  await page.goBack();
  await waitUntilHidden(link);
  await waitForPath(page, '/');
});

story('a contact is shared into a chat by link; leaving a group from its row keeps the open chat', async () => {
  const { ada, ben, id } = await createFriends(url(), ['Hello']);
  const group = await createGroupWith(ada, 'Sunday hikers', [ben]);
  const { page } = await openPage({ as: ada.user, path: '/contacts' });
  await new ContactsPage(page).row(ben.name).click();
  await page.getByRole('button', { name: en.contacts.share.action }).click();
  const share = page.getByRole('dialog', { name: en.contacts.share.title });
  await waitUntilVisible(share.getByRole('textbox', { name: en.contacts.share.link }));
  expect(await findAxeIssues(page, 'a contact that is shared', 'light')).toEqual([]);
  await share.getByRole('button', { name: enShare.chats }).click();
  const chats = page.getByRole('dialog', { name: enShare.chats });
  await chats.getByRole('checkbox', { name: group.name }).check();
  expect(await findAxeIssues(page, 'the chats that it goes to', 'light')).toEqual([]);
  await chats.getByRole('button', { name: enMessages.forwardTo.send, exact: true }).click();
  await waitUntilHidden(chats);

  await page.goto(`/chat/${id}`);
  const list = new ChatsPage(page);
  await waitUntilVisible(list.row(group.name).getByText(ben.user.phone));
  await list.row(group.name).click({ button: 'right' });
  await page.getByRole('menuitem', { name: enRows.leave }).click();
  const question = page.getByRole('alertdialog', {
    name: fillPlaceholders(enGroups.confirm.leaveTitle, { name: group.name }),
  });
  await question.getByRole('button', { name: enGroups.confirm.leave, exact: true }).click();
  await waitUntilHidden(list.row(group.name));
  await waitForPath(page, `/chat/${id}`);
  await waitUntilVisible(new ConversationPage(page, ben.name).composer);
});
