import type { Message } from '@nolo/api';
import { ChatsPage } from './pages/ChatsPage.ts';
import { ContactsPage } from './pages/ContactsPage.ts';
import { ConversationPage } from './pages/ConversationPage.ts';
import { GroupPage } from './pages/GroupPage.ts';
import { ProfilePage } from './pages/ProfilePage.ts';
import { Shell } from './pages/Shell.ts';
import { Toasts } from './pages/Toasts.ts';
import {
  waitUntilContactsStored,
  waitForServiceWorker,
  waitUntilMessagesStored,
  listUnsentTexts,
} from './support/browserStores.ts';
import { befriend, createFriends, createCastMember, sendMessage, type CastMember } from './support/cast.ts';
import { createGroupWith } from './support/groups.ts';
import { setUpJourney, type BrowserUser, getUrlWithoutServiceWorker } from './support/journey.ts';
import { aSmallPicture } from './support/pictures.ts';
import { waitUntilHidden, waitUntilVisible, waitForExpectation } from './support/waitFor.ts';
import { en } from './support/words.ts';

const { story, openPage, url } = setUpJourney(getUrlWithoutServiceWorker);

/** Returns the messages on the server, oldest first. */
async function stored(actor: CastMember, id: string): Promise<string[]> {
  const reply = await actor.user.api.get<Message[]>(`/api/conversations/${id}/messages?limit=100`);
  return reply.body.map((message) => message.content);
}

/** Ada, with the app installed if it has to open offline, in a conversation with Ben that is stored on the device. */
async function openAdasDesktop(
  words: readonly string[],
  installs = true,
): Promise<{
  ada: CastMember;
  ben: CastMember;
  id: string;
  visitor: BrowserUser;
  conversation: ConversationPage;
  shell: Shell;
}> {
  const { ada, ben, id } = await createFriends(url(), words);
  const visitor = await openPage({ as: ada.user, path: `/chat/${id}`, installs });
  const { page } = visitor;
  const conversation = new ConversationPage(page, ben.name);
  for (const text of words) await waitUntilVisible(conversation.message(text));
  if (installs) await waitForServiceWorker(page);
  await waitUntilMessagesStored(page, ...words);
  return { ada, ben, id, visitor, conversation, shell: new Shell(page) };
}

async function givePicture(actor: CastMember): Promise<void> {
  const upload = await actor.user.api.post<{ uploadURL: string }>('/api/objects/upload', {});
  const written = await fetch(upload.body.uploadURL, {
    method: 'PUT',
    body: new Uint8Array(aSmallPicture()),
    headers: { authorization: `Bearer ${actor.user.api.token ?? ''}`, 'content-type': 'application/octet-stream' },
  });
  expect(written.status).toBeLessThan(300);
  const set = await actor.user.api.put('/api/profile/image', { profileImageURL: upload.body.uploadURL });
  expect(set.status).toBeLessThan(300);
}

story('the app opens offline from the device: list, messages, pictures, contacts and profile', async () => {
  const [ada, ben, cleo] = await Promise.all([
    createCastMember(url(), 'Ada Adams'),
    createCastMember(url(), 'Ben Botha'),
    createCastMember(url(), 'Cleo Cele'),
  ]);
  const [id, other] = [await befriend(ada, ben), await befriend(ada, cleo)];
  await givePicture(ben);
  await sendMessage(ben, id, 'Hello from Ben');
  await sendMessage(cleo, other, 'Hello from Cleo');
  const group = await createGroupWith(ada, 'Sunday hikers', [ben]);
  await sendMessage(ben, group.id, 'Nine at the gate');
  const visitor = await openPage({ as: ada.user, path: '/', installs: true });
  const { page, context } = visitor;
  const chats = new ChatsPage(page);
  const shell = new Shell(page);
  await waitUntilVisible(chats.row(ben.name), chats.row(cleo.name), chats.row(group.name));
  await waitForServiceWorker(page);
  const picture = chats.row(ben.name).locator('img');
  await waitUntilVisible(picture);
  // The conversations were never opened, but both are stored, and so are the people.
  await waitUntilMessagesStored(page, 'Hello from Ben', 'Hello from Cleo', 'Nine at the gate');
  await waitUntilContactsStored(page, ben.name, cleo.name);

  await context.setOffline(true);
  await page.reload();
  await waitUntilVisible(
    chats.row(ben.name).getByText('Hello from Ben'),
    chats.row(cleo.name),
    shell.offlineBanner,
    picture,
  );
  await waitForExpectation(async () =>
    expect(
      await picture.evaluate((image: { complete: boolean; naturalWidth: number }) => image.naturalWidth),
    ).toBeGreaterThan(0),
  );
  await chats.row(cleo.name).click();
  await waitUntilVisible(new ConversationPage(page, cleo.name).message('Hello from Cleo'));
  // A group has its name and those of its members.
  await waitUntilVisible(chats.row(group.name).getByText('Ben: Nine at the gate'));
  await chats.row(group.name).click();
  const inGroup = new GroupPage(page, group.name);
  await waitUntilVisible(inGroup.heading, inGroup.message('Nine at the gate').getByText(ben.name).first());
  await visitor.go(`/chat/${id}`);
  const conversation = new ConversationPage(page, ben.name);
  await waitUntilVisible(conversation.message('Hello from Ben'), chats.row(cleo.name));
  // The online state of others is unknown.
  const header = page.getByRole('region', { name: en.shell.main }).locator('header');
  await waitUntilHidden(header.getByText(en.presence.online, { exact: true }));
  await waitUntilHidden(header.getByText(en.presence.offline, { exact: true }));

  await shell.link('contacts').click();
  await waitUntilVisible(new ContactsPage(page).row(ben.name), new ContactsPage(page).row(cleo.name));
  await shell.link('profile').click();
  const profile = new ProfilePage(page);
  await waitUntilVisible(profile.heading, page.getByRole('main').getByText(ada.name).first());
  // Ending a session needs the server.
  await profile.logout.click();
  await new Toasts(page).expectShown(en.shell.signOutOffline);

  // Changes from the meantime arrive when the connection is back.
  await sendMessage(ben, id, 'Are you back?');
  const [first] = (await ben.user.api.get<Message[]>(`/api/conversations/${id}/messages?limit=100`)).body;
  const edited = await ben.user.api.patch(`/api/messages/${first?.id}`, { content: 'Hello again from Ben' });
  expect(edited.status).toBe(200);
  const erased = await sendMessage(ben, id, 'Not meant for you');
  expect((await ben.user.api.delete(`/api/messages/${erased.id}`)).status).toBeLessThan(300);
  await visitor.go(`/chat/${id}`);
  await waitUntilVisible(conversation.message('Hello from Ben'));
  expect(await conversation.message('Are you back?').count()).toBe(0);
  await context.setOffline(false);
  await waitUntilVisible(conversation.message('Are you back?'));
  await waitUntilHidden(shell.offlineBanner);
  await waitUntilVisible(conversation.message('Hello again from Ben'));
  const texts = await conversation.texts();
  expect(texts.join()).not.toContain('Not meant');
  expect(texts.filter((text) => text === 'Are you back?')).toHaveLength(1);
});

story('a server that hangs keeps nobody out', async () => {
  const { ada, ben, id, visitor, conversation } = await openAdasDesktop(['Hello', 'Hi'], false);
  const { page, context } = visitor;
  // The server accepts every request and answers none.
  const delayed: (() => void)[] = [];
  await context.route(/\/(api|objects)\//, (route) => {
    delayed.push(() => void route.abort().catch(() => undefined));
  });
  await page.routeWebSocket(/\/ws\?/, () => undefined);
  await page.reload();
  await waitUntilVisible(conversation.message('Hello'), conversation.message('Hi'), new ChatsPage(page).row(ben.name));
  await waitUntilVisible(new Shell(page).reconnectingBanner);
  expect(delayed.length).toBeGreaterThan(0);

  await context.unroute(/\/(api|objects)\//);
  for (const letGo of delayed) letGo();
  await sendMessage(ben, id, 'There again');
  await page.reload();
  await waitUntilVisible(conversation.message('There again'));
  expect((await stored(ada, id)).length).toBe(3);
});

story('three messages written offline survive a reload and are sent once, in order', async () => {
  const { ada, ben, id, visitor, conversation, shell } = await openAdasDesktop(['Hello']);
  const { page, context } = visitor;
  const written = ['First of three', 'Second of three', 'Third of three'];
  await context.setOffline(true);
  for (const text of written) await conversation.sendText(text);
  for (const text of written) await waitUntilVisible(conversation.deliveryIcon(text, 'waiting'));
  expect(await listUnsentTexts(page)).toEqual(written);

  await page.reload();
  for (const text of written) await waitUntilVisible(conversation.deliveryIcon(text, 'waiting'));
  expect(await conversation.texts()).toEqual(['Hello', ...written]);
  // Adds one message to those that were restored.
  await conversation.sendText('And a fourth');
  await waitUntilVisible(conversation.deliveryIcon('And a fourth', 'waiting'));
  expect(await stored(ben, id)).toEqual(['Hello']);

  await context.setOffline(false);
  await waitUntilHidden(shell.offlineBanner);
  await waitUntilVisible(
    conversation.deliveryIcon('And a fourth', 'sent').or(conversation.deliveryIcon('And a fourth', 'delivered')),
  );
  expect(await stored(ben, id)).toEqual(['Hello', ...written, 'And a fourth']);
  expect(await conversation.texts()).toEqual(['Hello', ...written, 'And a fourth']);
  await waitForExpectation(async () => expect(await listUnsentTexts(page)).toEqual([]));
  await page.reload();
  await waitUntilVisible(conversation.message('And a fourth'));
  expect(await conversation.texts()).toEqual(['Hello', ...written, 'And a fourth']);
  expect(await stored(ada, id)).toHaveLength(5);
});
