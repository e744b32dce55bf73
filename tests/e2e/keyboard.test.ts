import { randomPhone } from '@nolo/testing';
import type { Locator } from 'playwright-core';
import { startFirstDevice } from '../support/clients/sealedDevices.ts';
import { ContactsPage } from './pages/ContactsPage.ts';
import { ConversationPage } from './pages/ConversationPage.ts';
import { LandingPage } from './pages/LandingPage.ts';
import { NamePage } from './pages/NamePage.ts';
import { PhoneSignInPage } from './pages/PhoneSignInPage.ts';
import { ProfilePage } from './pages/ProfilePage.ts';
import { ChatsPage } from './pages/ChatsPage.ts';
import { Shell } from './pages/Shell.ts';
import { Toasts } from './pages/Toasts.ts';
import { befriend, createFriends, createCastMember, sendMessage } from './support/cast.ts';
import { setUpJourney, type BrowserUser } from './support/journey.ts';
import { waitForPath, waitUntilHidden, waitForFocus, waitUntilVisible } from './support/waitFor.ts';
import { en, fillPlaceholders } from './support/words.ts';

const { story, openPage, url } = setUpJourney();

/** Presses Tab until an element has the focus, as keyboard users do. */
async function tabTo({ page }: BrowserUser, thing: Locator, key = 'Tab', limit = 40): Promise<void> {
  await waitUntilVisible(thing);
  const reached = () =>
    thing.evaluate((element: { matches: (selector: string) => boolean }) => element.matches(':focus'));
  for (let presses = 0; presses < limit; presses++) {
    if (await reached()) return;
    await page.keyboard.press(key);
  }
  throw new Error(`Tab did not lead to ${String(thing)} in ${limit} presses.`);
}

story('the keyboard alone leads from the landing page to the first message', async () => {
  const ben = await createCastMember(url(), 'Ben Botha');
  const bens = await startFirstDevice(ben.user);
  const visitor = await openPage({ path: '/' });
  const { page } = visitor;
  const { keyboard } = page;

  const landing = new LandingPage(page);
  await tabTo(visitor, landing.getStarted);
  await keyboard.press('Enter');

  const signIn = new PhoneSignInPage(page);
  await waitForFocus(signIn.number);
  await keyboard.type(randomPhone());
  await keyboard.press('Enter');
  await waitForFocus(signIn.code);
  // The last digit submits the code.
  await keyboard.type(await signIn.demoCode());

  const name = new NamePage(page);
  await waitForFocus(name.firstName);
  await keyboard.type('Ada');
  await keyboard.press('Tab');
  await keyboard.type('Lovelace');
  await keyboard.press('Enter');
  await waitUntilVisible(new ChatsPage(page).emptyTitle);

  // Pressing g and then 2 opens the contacts.
  await keyboard.press('g');
  await keyboard.press('2');
  await waitForPath(page, '/contacts');
  const contacts = new ContactsPage(page);
  await tabTo(visitor, contacts.add);
  await keyboard.press('Enter');
  await waitForFocus(contacts.phoneNumber);
  await keyboard.type(ben.user.phone);
  await tabTo(visitor, contacts.displayName);
  await keyboard.type('Ben');
  await keyboard.press('Enter');
  await new Toasts(page).expectShown(en.contacts.added);
  await waitUntilHidden(contacts.dialog);

  await tabTo(visitor, contacts.row('Ben'));
  await keyboard.press('Enter');
  await tabTo(visitor, contacts.message);
  await keyboard.press('Enter');
  const conversation = new ConversationPage(page, 'Ben');
  await waitForFocus(conversation.composer);
  await keyboard.type('No mouse was needed');
  await keyboard.press('Shift+Enter');
  await keyboard.type('for this');
  await keyboard.press('Enter');
  await waitUntilVisible(conversation.deliveryIcon('No mouse was needed', 'sent'));
  await waitForFocus(conversation.composer);
  bens.remove();
});

story('the keyboard edits messages, opens the message menu, and closes the top layer', async () => {
  const { ada, ben, id } = await createFriends(url(), ['One', 'Two', 'Three']);
  const visitor = await openPage({ as: ada.user, path: `/chat/${id}` });
  const { page } = visitor;
  const { keyboard } = page;
  const conversation = new ConversationPage(page, ben.name);
  await waitUntilVisible(conversation.message('Three'));
  await waitForFocus(conversation.composer);

  // Arrow up edits the user's latest message; Escape leaves it unchanged.
  await keyboard.press('ArrowUp');
  await waitForFocus(conversation.editing);
  expect(await conversation.editing.inputValue()).toBe('Three');
  await keyboard.press('Escape');
  await waitForFocus(conversation.composer);
  await keyboard.press('ArrowUp');
  await waitForFocus(conversation.editing);
  await keyboard.type(', and a half');
  await keyboard.press('Enter');
  await waitUntilVisible(conversation.message('Three, and a half').getByText(en.conversation.edited));
  await waitForFocus(conversation.composer);

  // Moves into the list, up to the first message, and into its menu.
  await tabTo(
    visitor,
    page.getByRole('group', { name: fillPlaceholders(en.conversation.messagesWith, { name: ben.name }) }),
    'Shift+Tab',
  );
  for (const text of ['Three, and a half', 'Two', 'One']) {
    await keyboard.press('ArrowUp');
    await waitForFocus(conversation.message(text));
  }
  await keyboard.press('Enter');
  await waitUntilVisible(conversation.menu);
  await keyboard.press('ArrowDown');
  await waitForFocus(conversation.menu.getByRole('menuitem').first());
  await keyboard.press('Escape');
  await waitUntilHidden(conversation.menu);
  await waitForFocus(conversation.message('One'));

  await keyboard.press('Escape');
  await waitForFocus(conversation.composer);
  await sendMessage(ben, id, 'Four');
  await waitUntilVisible(conversation.message('Four'));
  await waitForFocus(conversation.composer);
});

story('the shortcuts sheet, search and notifications have their own keys', async () => {
  const { ada, ben } = await createFriends(url(), ['Hello']);
  const visitor = await openPage({ as: ada.user, path: '/' });
  const { page } = visitor;
  const { keyboard } = page;
  const chats = new ChatsPage(page);
  const shell = new Shell(page);
  await waitUntilVisible(chats.row(ben.name));

  const before = shell.link('contacts');
  await before.focus();
  await keyboard.press('?');
  await waitUntilVisible(shell.shortcutSheet);
  // Elements under a dialog do not react.
  await keyboard.press('g');
  await keyboard.press('3');
  await waitUntilVisible(shell.shortcutSheet);
  await waitForPath(page, '/');
  await keyboard.press('Escape');
  await waitUntilHidden(shell.shortcutSheet);
  await waitForFocus(before);

  await keyboard.press('/');
  await waitForFocus(chats.search);
  await keyboard.type('ben');
  await waitUntilVisible(chats.row(ben.name));
  await keyboard.press('Escape');
  expect(await chats.search.inputValue()).toBe('');
  await keyboard.press('ArrowDown');
  await waitForFocus(chats.row(ben.name));
  await keyboard.press('Enter');
  await waitUntilVisible(new ConversationPage(page, ben.name).message('Hello'));

  // Errors are shown next to the field, and Escape closes the dialog.
  await visitor.go('/contacts');
  const contacts = new ContactsPage(page);
  const toasts = new Toasts(page);
  await contacts.addContact('');
  await waitUntilVisible(contacts.dialog.getByText(en.refusals.phone_number_required));
  await keyboard.press('Escape');
  await waitUntilHidden(contacts.dialog);
  await waitForFocus(contacts.add);

  // F8 moves the focus to a toast.
  await visitor.go('/profile');
  const { receipts } = new ProfilePage(page);
  await receipts.focus();
  await keyboard.press('Space');
  await toasts.expectShown(en.profile.updated);
  await keyboard.press('F8');
  await waitForFocus(toasts.region.locator('ol'));
  await keyboard.press('Tab');
  await keyboard.press('Escape');
  await waitUntilHidden(toasts.shown);
});

story('the first Tab offers to skip the navigation', async () => {
  const { ada } = await createFriends(url(), ['Hello']);
  const visitor = await openPage({ as: ada.user, path: '/' });
  await waitUntilVisible(new ChatsPage(visitor.page).list);
  await visitor.page.keyboard.press('Tab');
  const skip = visitor.page.getByRole('link', { name: en.common.skipToContent });
  await waitForFocus(skip);
  await visitor.page.keyboard.press('Enter');
  await waitForFocus(visitor.page.getByRole('main'));
});

story('the palette finds chats and actions; Alt and the arrow keys move between chats', async () => {
  const { ada, ben } = await createFriends(url(), ['Hello']);
  const cleo = await createCastMember(url(), 'Cleo Cele');
  await sendMessage(cleo, await befriend(ada, cleo), 'Good morning');
  const { page } = await openPage({ as: ada.user, path: '/' });
  const { keyboard } = page;
  const chats = new ChatsPage(page);
  const shell = new Shell(page);
  await waitUntilVisible(chats.row(cleo.name), chats.row(ben.name));

  const before = shell.link('contacts');
  await before.focus();
  await keyboard.press('Control+k');
  // Types before the palette has loaded.
  await keyboard.type('ben bo');
  await waitUntilVisible(shell.paletteItem(ben.name));
  expect(await shell.paletteField.inputValue()).toBe('ben bo');
  await keyboard.press('Enter');
  await waitUntilHidden(shell.palette);
  const withBen = new ConversationPage(page, ben.name);
  await waitUntilVisible(withBen.message('Hello'));
  await waitForFocus(withBen.composer);

  // Switches in the middle of a sentence, which stays.
  await keyboard.type('One moment');
  await keyboard.press('Alt+ArrowUp');
  await waitUntilVisible(new ConversationPage(page, cleo.name).message('Good morning'));
  await keyboard.press('Alt+ArrowDown');
  await waitUntilVisible(withBen.message('Hello'));
  expect(await withBen.composer.inputValue()).toBe('One moment');

  // A dialog replaces the palette, and Back closes it.
  await keyboard.press('Control+k');
  await keyboard.type(en.chats.addContact);
  await waitUntilVisible(shell.paletteItem(en.chats.addContact));
  await keyboard.press('Enter');
  const { dialog } = new ContactsPage(page);
  await waitUntilVisible(dialog);
  await page.goBack();
  await waitUntilHidden(dialog);
  await waitUntilVisible(withBen.message('Hello'));
});
