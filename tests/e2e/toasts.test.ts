import { phoneViewport, randomPhone } from '@nolo/testing';
import { ContactsPage } from './pages/ContactsPage.ts';
import { ConversationPage } from './pages/ConversationPage.ts';
import { MeetingRoomPage } from './pages/MeetingRoomPage.ts';
import { MeetingsPage } from './pages/MeetingsPage.ts';
import { Toasts } from './pages/Toasts.ts';
import { createFriends } from './support/cast.ts';
import { setUpJourney, getUrlWithoutServiceWorker } from './support/journey.ts';
import { waitUntilVisible } from './support/waitFor.ts';
import { en, enMeetings, enMessages } from './support/words.ts';

const { story, openPage, url } = setUpJourney(getUrlWithoutServiceWorker);

const sizes = { desktop: { width: 1440, height: 900 }, phone: phoneViewport } as const;

for (const device of ['desktop', 'phone'] as const) {
  story(`a toast on a ${device} covers neither the composer nor the newest message nor a primary button`, async () => {
    const { ada, ben, id } = await createFriends(url(), ['Hello']);
    const { page, go } = await openPage({ as: ada.user, device, path: `/chat/${id}` });
    await page.setViewportSize(sizes[device]);
    const toasts = new Toasts(page);
    const conversation = new ConversationPage(page, ben.name);
    await waitUntilVisible(conversation.message('Hello'));
    await page.route(/\/reaction$/, (route) => route.abort());
    await conversation.react('Hello', '👍');
    await toasts.expectShown(enMessages.failed.react, enMessages.failed.offline);
    expect(await toasts.covers()).toEqual([]);
    await conversation.sendText('And what do you say?');
    expect(await toasts.covers()).toEqual([]);
    await toasts.dismiss();

    await go('/contacts');
    const contacts = new ContactsPage(page);
    await contacts.addContact(randomPhone());
    await waitUntilVisible(toasts.shown.getByText(en.contacts.added));
    expect(await toasts.covers()).toEqual([]);
    await toasts.dismiss();

    await go('/meetings');
    await new MeetingsPage(page).create('Planning');
    await waitUntilVisible(toasts.shown.getByText(enMeetings.created), new MeetingRoomPage(page).joinNow);
    expect(await toasts.covers()).toEqual([]);
  });
}
