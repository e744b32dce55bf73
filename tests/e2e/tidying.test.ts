import type { Message } from '@nolo/api';
import { ChatsPage } from './pages/ChatsPage.ts';
import { ConversationPage } from './pages/ConversationPage.ts';
import { createFriends, sendMessage } from './support/cast.ts';
import { setUpJourney } from './support/journey.ts';
import { waitUntilHidden, waitUntilVisible } from './support/waitFor.ts';
import { enRows, fillPlaceholders } from './support/words.ts';

const { story, openPage, url } = setUpJourney();

story('deleting for yourself applies to all your devices, and the other person keeps the message', async () => {
  const { ada, ben, id } = await createFriends(url(), ['Keep this', 'And not this']);
  const [adas, phones] = await Promise.all([
    openPage({ as: ada.user, path: `/chat/${id}` }),
    openPage({ as: ada.user, path: `/chat/${id}`, device: 'phone' }),
  ]);
  const desktop = new ConversationPage(adas.page, ben.name);
  const phone = new ConversationPage(phones.page, ben.name);
  /** Returns the other person's messages. */
  const theirs = async () =>
    (await ben.user.api.get<Message[]>(`/api/conversations/${id}/messages?limit=20`)).body.map(
      ({ content }) => content,
    );
  await waitUntilVisible(desktop.message('And not this'), phone.message('And not this'));
  await desktop.deleteForMe('And not this');
  await waitUntilHidden(desktop.message('And not this'), phone.message('And not this'));
  await waitUntilVisible(desktop.message('Keep this'), phone.message('Keep this'));
  expect(await theirs()).toEqual(['Keep this', 'And not this']);

  const chats = new ChatsPage(adas.page);
  await waitUntilVisible(chats.row(ben.name).getByText('Keep this'));
  await chats.tidy(ben.name, enRows.delete, fillPlaceholders(enRows.deleteTitle, { name: ben.name }));
  await waitUntilHidden(chats.row(ben.name), desktop.message('Keep this'));
  await waitUntilVisible(chats.emptyTitle);
  expect(await theirs()).toEqual(['Keep this', 'And not this']);

  // The chat returns with the next message, and with nothing older.
  await sendMessage(ben, id, 'Still there?');
  await waitUntilVisible(chats.row(ben.name).getByText('Still there?'));
  await chats.row(ben.name).click();
  await waitUntilVisible(desktop.message('Still there?'), phone.message('Still there?'));
  await waitUntilHidden(desktop.message('Keep this'), phone.message('Keep this'));
});
