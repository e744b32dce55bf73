import { randomUUID } from 'node:crypto';
import { randomPhone } from '@nolo/testing';
import type { Page } from 'playwright-core';
import { ChatsPage } from './pages/ChatsPage.ts';
import { ContactsPage } from './pages/ContactsPage.ts';
import { ConversationPage } from './pages/ConversationPage.ts';
import { DevicesPage } from './pages/DevicesPage.ts';
import { LandingPage } from './pages/LandingPage.ts';
import { MessageRequestsPage } from './pages/MessageRequestsPage.ts';
import { PhoneSignInPage } from './pages/PhoneSignInPage.ts';
import { Shell } from './pages/Shell.ts';
import { Toasts } from './pages/Toasts.ts';
import { befriend, createFriends, createCastMember, sendMessage } from './support/cast.ts';
import { setUpJourney } from './support/journey.ts';
import { waitForPath, waitUntilHidden, waitUntilVisible, waitForExpectation } from './support/waitFor.ts';
import { en, fillPlaceholders } from './support/words.ts';

const { story, openPage, url } = setUpJourney();

/** Returns true if a message, not one that quotes it, is in view. */
async function isInView(page: Page, text: string): Promise<boolean> {
  const message = page.getByRole('article').filter({ hasText: text, hasNot: page.locator('[data-quote]') });
  const box = await message.first().boundingBox({ timeout: 1_000 });
  const { height } = page.viewportSize() ?? { height: 0 };
  return box !== null && box.y > 0 && box.y + box.height < height;
}

story('two people sign up by phone, find each other and talk', async () => {
  const [adasPhone, bensPhone] = [randomPhone(), randomPhone()];
  const ada = await openPage({ path: '/' });
  const ben = await openPage({ device: 'phone', path: '/' });

  // Ada and Ben sign up with the demo code, Ada on her desktop and Ben on his phone.
  await (await new LandingPage(ada.page).startWithPhone()).signUp(adasPhone, 'Ada', 'Lovelace');
  await waitUntilVisible(new ChatsPage(ada.page).emptyTitle);
  await (await new LandingPage(ben.page).startWithPhone()).signUp(bensPhone, 'Ben', 'Okri');
  await waitUntilVisible(new ChatsPage(ben.page).emptyTitle);
  // Ben needs keys, because messages to him wait for them.
  await ben.go('/settings/devices');
  await new DevicesPage(ben.page).waitForKeys();
  await ben.go('about:blank');

  // Ada adds Ben and writes to him while he is away.
  await new Shell(ada.page).link('contacts').click();
  const contacts = new ContactsPage(ada.page);
  await waitUntilVisible(contacts.emptyTitle);
  await contacts.addContact(bensPhone, 'Ben from the library');
  await new Toasts(ada.page).expectShown(en.contacts.added);
  await contacts.openConversation('Ben from the library');
  await waitForPath(ada.page, /^\/chat\//);
  const adas = new ConversationPage(ada.page, 'Ben from the library');
  await waitUntilVisible(
    adas.heading,
    ada.page.getByRole('heading', { name: fillPlaceholders(en.conversation.sayHello, { name: adas.name }) }),
  );
  await adas.sendText('Hello Ben, is this you?');
  await waitUntilVisible(adas.deliveryIcon('Hello Ben', 'sent'), adas.feed.getByText(en.chats.today, { exact: true }));

  // Ben returns: the message of a stranger waits to be accepted, and Ada cannot see that.
  await ben.go('/');
  const bensChats = new ChatsPage(ben.page);
  const requests = new MessageRequestsPage(ben.page);
  await requests.open('Ada Lovelace');
  await waitUntilVisible(
    requests.message('Ada Lovelace', 'Hello Ben, is this you?'),
    adas.deliveryIcon('Hello Ben', 'sent'),
  );

  // Ben accepts, and Ada gets a read receipt.
  await requests.accept.click();
  const bens = new ConversationPage(ben.page, 'Ada Lovelace');
  await waitUntilVisible(bens.message('Hello Ben, is this you?'), adas.deliveryIcon('Hello Ben', 'read'));

  // Ada and Ben both write, and see each other typing.
  await bens.composer.pressSequentially('It is');
  await waitUntilVisible(adas.typing, ada.page.getByText(en.chats.typingShort));
  await bens.composer.press('Enter');
  await waitUntilVisible(adas.message('It is'), bens.deliveryIcon('It is', 'read'));
  await waitUntilHidden(adas.typing);
  await adas.composer.pressSequentially('How lovely');
  await waitUntilVisible(bens.typing);
  await adas.send.click();
  await waitUntilVisible(bens.message('How lovely'), adas.deliveryIcon('How lovely', 'read'));

  // Edits reach the other side.
  await adas.edit('How lovely', 'How very lovely');
  await waitUntilVisible(bens.message('How very lovely').getByText(en.conversation.edited));
  await bens.deleteForEveryone('It is');
  await waitUntilVisible(adas.message(en.conversation.deleted));
  await waitUntilHidden(adas.message('It is'));

  // A long message keeps its line breaks, and the composer grows with it up to six lines.
  const oneLine = (await adas.composer.boundingBox())?.height ?? 0;
  const heightOf = async () => (await adas.composer.boundingBox())?.height ?? 0;
  await adas.composer.pressSequentially('First line');
  await adas.composer.press('Shift+Enter');
  await adas.composer.pressSequentially('second line');
  expect(await heightOf()).toBeGreaterThan(oneLine + 10);
  const many = Array.from({ length: 900 }, (_, index) => `word${index}`).join(' ');
  await adas.composer.fill(`First line\nsecond line\n${many}`);
  expect(await heightOf()).toBeLessThan(oneLine * 5);
  await adas.composer.press('Enter');
  await waitUntilVisible(bens.message('word899'));
  expect(await bens.message('word899').innerText()).toContain('First line\nsecond line\nword0 word1');
  await waitForExpectation(async () => expect(await heightOf()).toBe(oneLine));
  // The page does not overflow a phone's width.
  expect(await ben.page.evaluate('document.documentElement.scrollWidth')).toBe(390);

  // Ben's list has nothing unread, and shows the latest message.
  await bens.back.click();
  await waitUntilVisible(bensChats.row('Ada Lovelace').getByText('First line'));
  await waitUntilHidden(bensChats.anyUnread('Ada Lovelace'));
  expect(await ada.page.title()).toBe('Ben from the library · Nolo');
});

story(
  'the unread badge counts up, as does the tab title, and links to people lead to their conversations',
  async () => {
    const { ada, ben, id } = await createFriends(url(), ['Good morning']);
    const cleo = await createCastMember(url(), 'Cleo Cele');
    const other = await befriend(cleo, ben);
    await sendMessage(cleo, other, 'And from me');
    const visitor = await openPage({ as: ben.user, path: `/chat/${id}` });
    const chats = new ChatsPage(visitor.page);
    await waitUntilVisible(
      new ConversationPage(visitor.page, ada.name).message('Good morning'),
      chats.unread(cleo.name, 1),
    );
    await sendMessage(cleo, other, 'Are you there?');
    await sendMessage(cleo, other, 'Hello?');
    await waitUntilVisible(chats.unread(cleo.name, 3));
    await waitForExpectation(async () => expect(await visitor.page.title()).toBe(`(3) ${ada.name} · Nolo`));
    // The latest activity is first.
    expect(await chats.list.getByRole('link').first().innerText()).toContain(cleo.name);

    await chats.row(cleo.name).click();
    const conversation = new ConversationPage(visitor.page, cleo.name);
    await waitUntilVisible(
      conversation.message('And from me'),
      conversation.feed.getByText(en.conversation.unreadAbove, { exact: true }),
    );
    await waitUntilHidden(chats.anyUnread(cleo.name));
    await waitForExpectation(async () => expect(await visitor.page.title()).toBe(`${cleo.name} · Nolo`));

    // The address of a person or a contact redirects to that of the conversation.
    await visitor.go(`/chat/${ada.user.id}`);
    await waitForPath(visitor.page, `/chat/${id}`);
    await waitUntilVisible(new ConversationPage(visitor.page, ada.name).message('Good morning'));
    const contact = (await ben.user.api.get('/api/contacts')).body.find(
      (one: { userId: string }) => one.userId === ada.user.id,
    );
    await visitor.go(`/chat/${contact.id}`);
    await waitForPath(visitor.page, `/chat/${id}`);
    // A conversation with a new person starts at that address.
    const dora = await createCastMember(url(), 'Dora Dlamini');
    await visitor.go(`/chat/${dora.user.id}`);
    await waitUntilVisible(new ConversationPage(visitor.page, dora.name).composer);
    expect(new URL(visitor.page.url()).pathname).not.toBe(`/chat/${dora.user.id}`);
    await visitor.go('/chat/00000000-0000-7000-8000-000000000000');
    await waitUntilVisible(visitor.page.getByRole('heading', { name: en.conversation.notFoundTitle }));
    await visitor.go('/group-chat/NOSUCH');
    await waitUntilVisible(visitor.page.getByRole('heading', { name: en.chats.groupNotFound }));
    await visitor.page.getByRole('link', { name: en.common.goBackHome }).click();
    await waitForPath(visitor.page, '/');
  },
);

story('history loads upwards and keeps its place; a pill leads down to new messages, a quote back up', async () => {
  const { ada, ben, id } = await createFriends(url());
  for (let index = 1; index <= 130; index++) await sendMessage(index % 3 === 0 ? ada : ben, id, `Line ${index}.`);
  const visitor = await openPage({ as: ada.user });
  const conversation = new ConversationPage(visitor.page, ben.name);

  // The test holds the older pages. The newest is one of fifty, even if the device requests its stored one before the
  // screen does.
  let letCome: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => (letCome = resolve));
  await visitor.page.route(/\/messages\?/, async (route) => {
    const address = route.request().url();
    if (address.includes('before=')) await gate;
    await route.continue({ url: address.replace('limit=100', 'limit=50') });
  });
  await visitor.go(`/chat/${id}`);
  await waitUntilVisible(conversation.message('Line 130.'));
  await conversation.feed.hover();
  await waitForExpectation(async () => {
    await visitor.page.mouse.wheel(0, -2_000);
    expect(await conversation.message('Line 82.').count()).toBe(1);
  });
  await waitUntilVisible(visitor.page.getByRole('status', { name: en.conversation.loadingOlder }));
  // Messages before the first one shown must load first, because they decide how it is grouped.
  expect(await conversation.message('Line 81.').count()).toBe(0);

  // The reader scrolls down again, away from what loads above.
  await visitor.page.mouse.wheel(0, 300);
  const anchor = conversation.message('Line 90.');
  await waitUntilVisible(anchor);
  // Waits until the scroll has come to rest.
  let before = Number.NaN;
  let same = 0;
  await waitForExpectation(async () => {
    const last = before;
    before = (await anchor.boundingBox())?.y ?? 0;
    same = before === last ? same + 1 : 0;
    expect(same).toBeGreaterThanOrEqual(10);
  });
  letCome();
  await waitForExpectation(async () => expect(await conversation.message('Line 75.').count()).toBe(1));
  await waitForExpectation(async () =>
    expect(Math.abs(((await anchor.boundingBox())?.y ?? 0) - before)).toBeLessThan(2),
  );

  // Scrolls to the very beginning.
  await waitForExpectation(async () => {
    await visitor.page.mouse.wheel(0, -3_000);
    expect(await conversation.message('Line 1.').count()).toBe(1);
  });
  await waitUntilVisible(conversation.feed.getByText(fillPlaceholders(en.conversation.beginning, { name: ben.name })));

  // A new message does not move the reader away from the current position.
  await sendMessage(ben, id, 'Something new');
  const pill = visitor.page.getByRole('button', {
    name: fillPlaceholders(en.conversation.newBelow_one, { count: 1 }),
  });
  await waitUntilVisible(pill, conversation.message('Line 1.'));
  await pill.click();
  await waitUntilVisible(conversation.message('Something new'));
  await waitUntilHidden(pill);

  // A reply quotes its message, and the quote leads there however far it is.
  await visitor.page.reload();
  await waitUntilVisible(conversation.message('Something new'));
  const clientMessageId = randomUUID();
  const answer = { conversationId: id, content: 'Do you remember?', clientMessageId, replyToSeq: 1 };
  expect((await ben.user.api.post('/api/messages', answer)).status).toBe(201);
  await waitUntilVisible(conversation.quote('Do you remember?').getByText('Line 1.'));
  await conversation.quote('Do you remember?').click();
  await waitForExpectation(async () => expect(await isInView(visitor.page, 'Line 1.')).toBe(true));
  await visitor.page.getByRole('button', { name: en.conversation.toNewest }).click();
  await waitUntilVisible(conversation.message('Do you remember?'));
  await conversation.reply('Do you remember?', 'Every word');
  await waitUntilVisible(conversation.quote('Every word').getByText('Do you remember?'));
});

story('a deep link survives phone sign-in', async () => {
  const { ada, ben, id } = await createFriends(url(), ['Here I am']);
  const visitor = await openPage({ path: `/chat/${id}` });
  const landing = new LandingPage(visitor.page);
  await waitUntilVisible(landing.headline);
  await (await landing.startWithPhone()).signIn(ada.user.phone);
  await waitUntilVisible(new ConversationPage(visitor.page, ben.name).message('Here I am'));
  await waitForPath(visitor.page, `/chat/${id}`);

  // A person who signed in by phone earlier sees the phone form immediately, with their number.
  await visitor.context.clearCookies();
  await visitor.page.evaluate("localStorage.removeItem('nolo.session')");
  await visitor.go(`/chat/${id}`);
  const form = new PhoneSignInPage(visitor.page);
  await waitUntilVisible(form.heading);
  expect(await form.number.inputValue()).toBe(ada.user.phone);
});
