import { ChatsPage } from './pages/ChatsPage.ts';
import { ConversationPage } from './pages/ConversationPage.ts';
import { DevicesPage } from './pages/DevicesPage.ts';
import { LandingPage } from './pages/LandingPage.ts';
import { PhoneSignInPage } from './pages/PhoneSignInPage.ts';
import { ProfilePage } from './pages/ProfilePage.ts';
import { ProviderSignInPage } from './pages/ProviderSignInPage.ts';
import { Toasts } from './pages/Toasts.ts';
import { readBrowserStores } from './support/browserStores.ts';
import { createFriends, sendMessage, type CastMember } from './support/cast.ts';
import { linkByNumbers } from './support/keys.ts';
import { setUpJourney, type BrowserUser } from './support/journey.ts';
import { waitForPath, waitUntilHidden, waitUntilVisible, waitForExpectation } from './support/waitFor.ts';
import { en, enRows } from './support/words.ts';

const { story, openPage, url } = setUpJourney();

/** Phone on which the person signed in by hand, so that it remembers their number. */
async function phoneOf(actor: CastMember): Promise<BrowserUser> {
  const phone = await openPage({ device: 'phone', path: '/' });
  await (await new LandingPage(phone.page).startWithPhone()).signIn(actor.user.phone);
  await waitUntilVisible(new ChatsPage(phone.page).list);
  return phone;
}

story('a second device sees what the first one sends, reads and changes in a conversation', async () => {
  const { ada, ben, id } = await createFriends(url(), ['Hello', 'Hi']);
  const desktop = await openPage({ as: ada.user, path: '/settings/devices' });
  const phone = await phoneOf(ada);
  const [desktopDevices, phoneDevices] = [new DevicesPage(desktop.page), new DevicesPage(phone.page)];
  await desktopDevices.waitForKeys();
  await phone.go('/settings/devices');
  await linkByNumbers(desktopDevices, phoneDevices);
  await desktop.go(`/chat/${id}`);
  await phone.go('/');
  const chats = new ChatsPage(phone.page);
  const desktopConversation = new ConversationPage(desktop.page, ben.name);

  await desktopConversation.sendText('From the desk');
  await waitUntilVisible(chats.row(ben.name).getByText('From the desk'));
  await chats.row(ben.name).click();
  const onThePhone = new ConversationPage(phone.page, ben.name);
  await waitUntilVisible(onThePhone.message('From the desk'));
  await onThePhone.sendText('From the phone');
  await waitUntilVisible(desktopConversation.message('From the phone'));

  // Messages read on one device are read on the other.
  await onThePhone.back.click();
  await desktop.go('/profile');
  await sendMessage(ben, id, 'Where are you?');
  await waitUntilVisible(chats.unread(ben.name, 1));
  await desktop.go(`/chat/${id}`);
  await waitUntilVisible(desktopConversation.message('Where are you?'));
  await waitUntilHidden(chats.anyUnread(ben.name));

  // Changes to a conversation from its row apply on all devices of the user.
  const list = new ChatsPage(desktop.page);
  const choose = async (item: string) => {
    await list.row(ben.name).click({ button: 'right' });
    await desktop.page.getByRole('menu').getByRole('menuitem', { name: item, exact: true }).click();
  };
  await choose(enRows.pin);
  await waitUntilVisible(chats.row(ben.name).getByRole('img', { name: en.chats.pinned }));
  await choose(enRows.muteAlways);
  await waitUntilVisible(chats.row(ben.name).getByRole('img', { name: en.chats.muted }));
  await choose(enRows.markUnread);
  await waitUntilVisible(chats.row(ben.name).getByRole('img', { name: en.chats.markedUnread }));
  await choose(enRows.archive);
  await waitUntilHidden(chats.row(ben.name));
  await waitUntilVisible(desktop.page.getByRole('heading', { name: en.chats.allArchived }));
  await phone.page.getByRole('button', { name: en.chats.archived }).click();
  await chats.row(ben.name).click();
  await waitForPath(phone.page, `/chat/${id}`);
});

story('a lost device is signed out from another one, explains it and leads back to sign-in', async () => {
  const { ada, ben, id } = await createFriends(url(), ['Hello']);
  const phone = await phoneOf(ada);
  await phone.go(`/chat/${id}`);
  await waitUntilVisible(new ConversationPage(phone.page, ben.name).message('Hello'));

  const desktop = await openPage({ as: ada.user, path: '/profile' });
  const profile = new ProfilePage(desktop.page);
  await waitUntilVisible(desktop.page.getByText(en.profile.thisDevice));
  await profile.signOutDevice().first().click();
  await profile.confirm().click();
  await new Toasts(desktop.page).expectShown(en.profile.signedOutOne);
  await waitUntilHidden(profile.signOutDevice());

  await new Toasts(phone.page).expectShown(en.errors.unauthorized.title, en.errors.unauthorized.text);
  const form = new PhoneSignInPage(phone.page);
  await waitUntilVisible(form.heading);
  expect(await form.number.inputValue()).toBe(ada.user.phone);
  // Ada's number stays, to sign back in; no other trace of her remains.
  await waitForExpectation(async () =>
    expect(Object.keys((await readBrowserStores(phone.page)).databases)).toEqual([]),
  );
  const stores = await readBrowserStores(phone.page);
  expect(stores.sessionStorage).toEqual({});
  for (const trace of [id, ada.user.id, ben.user.id, ben.name]) expect(JSON.stringify(stores)).not.toContain(trace);
  // Signing in again leads back to the same page.
  await form.signIn(ada.user.phone);
  await waitForPath(phone.page, `/chat/${id}`);
  await waitUntilVisible(new ConversationPage(phone.page, ben.name).message('Hello'));

  // Alternatively, signs out all others at once.
  await desktop.page.reload();
  await waitUntilVisible(profile.signOutDevice());
  await profile.signOutOthers.click();
  await profile.confirm().click();
  await new Toasts(desktop.page).expectShown(en.profile.othersSignedOut);
  await waitUntilVisible(form.heading);
  await waitUntilHidden(profile.signOutDevice());
});

story('a session that ends without a known phone leads to the provider', async () => {
  const { ada, id } = await createFriends(url(), ['Hello']);
  const desktop = await openPage({ as: ada.user, path: `/chat/${id}` });
  await waitUntilVisible(new ChatsPage(desktop.page).list);
  const sessions = await ada.user.api.get('/api/sessions');
  const current = sessions.body.find((session: { current: boolean }) => session.current);
  expect((await ada.user.api.delete(`/api/sessions/${current.id}`)).status).toBeLessThan(300);
  await new Toasts(desktop.page).expectShown(en.errors.unauthorized.title, en.errors.unauthorized.text);
  await waitUntilVisible(new ProviderSignInPage(desktop.page).heading);
});
