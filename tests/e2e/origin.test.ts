import { randomPhone } from '@nolo/testing';
import { startFirstDevice } from '../support/clients/sealedDevices.ts';
import { ChatsPage } from './pages/ChatsPage.ts';
import { ContactsPage } from './pages/ContactsPage.ts';
import { ConversationPage } from './pages/ConversationPage.ts';
import { LandingPage } from './pages/LandingPage.ts';
import { NamePage } from './pages/NamePage.ts';
import { PhoneSignInPage } from './pages/PhoneSignInPage.ts';
import { ProfilePage } from './pages/ProfilePage.ts';
import { Shell } from './pages/Shell.ts';
import { createCastMember } from './support/cast.ts';
import { setUpJourney } from './support/journey.ts';
import { aSmallPicture } from './support/pictures.ts';
import { waitUntilVisible } from './support/waitFor.ts';
import { en } from './support/words.ts';

const { story, openPage, url } = setUpJourney();

story('a tour of every screen contacts no third party, breaks no policy and leaves a clean console', async () => {
  const ben = await createCastMember(url(), 'Ben Botha');
  const bens = await startFirstDevice(ben.user);
  const visitor = await openPage({ path: '/', installs: true });
  const { page, go } = visitor;

  await waitUntilVisible(new LandingPage(page).headline);
  await new LandingPage(page).phone.click();
  const phone = randomPhone();
  const form = new PhoneSignInPage(page);
  await form.signIn(phone);
  await new NamePage(page).introduce('Ada', 'Lovelace');
  await waitUntilVisible(new ChatsPage(page).emptyTitle);

  await new Shell(page).link('contacts').click();
  const contacts = new ContactsPage(page);
  await contacts.addContact(ben.user.phone, ben.name);
  await contacts.openConversation(ben.name);
  const conversation = new ConversationPage(page, ben.name);
  await conversation.sendText('See https://example.com/ and tell me');
  // The first message begins the epoch, which Ben's message would otherwise begin as well.
  await waitUntilVisible(conversation.deliveryIcon('See https', 'sent'));
  const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  await bens.chats.open(id);
  await bens.send(id, 'I will');
  bens.remove();
  await waitUntilVisible(conversation.message('I will'));
  await conversation.edit('See https', 'See it, and tell me');
  await conversation.info.click();
  await waitUntilVisible(page.getByRole('heading', { name: en.shell.details }));
  await page.keyboard.press('?');
  await waitUntilVisible(new Shell(page).shortcutSheet);
  await page.keyboard.press('Escape');

  // A user's own picture is shown, to the user and to others.
  await new Shell(page).link('profile').click();
  const profile = new ProfilePage(page);
  await waitUntilVisible(profile.heading, page.getByText(en.profile.thisDevice));
  await profile.picture.setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: aSmallPicture() });
  await page.getByRole('dialog').getByRole('button', { name: en.profile.usePicture }).click();
  await waitUntilVisible(page.getByRole('main').locator('img[src*="/objects/"]'));
  for (const path of ['/privacy', '/terms', '/nowhere', '/?lang=de', '/']) {
    await go(path);
    await waitUntilVisible(page.getByRole('heading').filter({ visible: true }));
  }
  // The service worker has the shell by now, and its own requests stayed on this origin too.
  await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
  await page.reload();
  await waitUntilVisible(new ChatsPage(page).row(ben.name));

  expect(visitor.strangers).toEqual([]);
  expect(visitor.violations).toEqual([]);
  expect(visitor.consoleErrors).toEqual([]);
});

story('the API documentation is readable without any external file', async () => {
  const visitor = await openPage({ path: '/api/docs' });
  // The page only renders the routes near the screen.
  await waitUntilVisible(visitor.page.getByText('/api/verification/send').first());
  expect(visitor.strangers).toEqual([]);
  expect(visitor.violations).toEqual([]);
  expect(visitor.consoleErrors).toEqual([]);
});

story('the landing page renders without JavaScript, and its sign-in link works', async () => {
  const visitor = await openPage({ javaScriptEnabled: false, path: '/' });
  const landing = new LandingPage(visitor.page);
  await waitUntilVisible(landing.headline, visitor.page.getByText(en.landing.encryptedTitle));
  expect(await landing.signIn.getAttribute('href')).toBe('/api/login');
});
