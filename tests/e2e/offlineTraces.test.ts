import { ChatsPage } from './pages/ChatsPage.ts';
import { ConversationPage } from './pages/ConversationPage.ts';
import { LandingPage } from './pages/LandingPage.ts';
import { PhoneSignInPage } from './pages/PhoneSignInPage.ts';
import { ProfilePage } from './pages/ProfilePage.ts';
import {
  readBrowserStores,
  waitUntilContactsStored,
  waitForServiceWorker,
  waitUntilMessagesStored,
  readOpenedText,
  readStoredText,
  listUnsentTexts,
} from './support/browserStores.ts';
import { createFriends, type CastMember } from './support/cast.ts';
import { setUpJourney, type BrowserUser } from './support/journey.ts';
import { waitForPath, waitUntilVisible, waitForExpectation } from './support/waitFor.ts';
import { en } from './support/words.ts';
import enClosing from '../../web/locales/en/closing.json' with { type: 'json' };

const { story, openPage, signIn, url } = setUpJourney();

interface Scene {
  ada: CastMember;
  ben: CastMember;
  id: string;
  visitor: BrowserUser;
  conversation: ConversationPage;
}

const words = ['A secret of Ben and Ada', 'Known to nobody else'];

/**
 * Prepares a device that remembers as much of Ada as possible: signed in by hand, with a draft and unsent messages.
 * Another user may have used the device before. The device stores the whole app only if `installs` is true.
 */
async function wellKnownDevice({ before, installs }: { before?: BrowserUser; installs?: true } = {}): Promise<Scene> {
  const { ada, ben, id } = await createFriends(url(), words);
  const visitor = before ?? (await openPage({ device: 'desktop', path: '/', ...(installs && { installs }) }));
  const { page, context } = visitor;
  if (before !== undefined) await visitor.go('/');
  await (await new LandingPage(page).startWithPhone()).signIn(ada.user.phone);
  await waitUntilVisible(new ChatsPage(page).row(ben.name));
  await waitForServiceWorker(page);
  await visitor.go(`/chat/${id}`);
  const conversation = new ConversationPage(page, ben.name);
  await waitUntilVisible(conversation.message('Known to nobody else'));
  await waitUntilMessagesStored(page, ...words);
  await waitUntilContactsStored(page, ben.name);
  await context.route(/\/api\/messages$/, (route) => route.abort());
  await conversation.sendText('Unsent and unseen');
  await waitUntilVisible(conversation.deliveryIcon('Unsent and unseen', 'waiting'));
  await conversation.composer.fill('A draft of hers');
  await waitForExpectation(async () => expect(await readOpenedText(page)).toContain('A draft of hers'));
  return { ada, ben, id, visitor, conversation };
}

const traces = ({ ada, ben, id }: Scene): string[] => [
  ...words,
  'Unsent and unseen',
  'A draft of hers',
  'Adams',
  'Botha',
  ada.user.id,
  ben.user.id,
  ada.user.phone,
  ben.user.phone,
  id,
];

/** Cookie that says that a browser has requested a code before, but not for whom; it is removed with the account. */
const deviceCookieName = 'nolo_session_asker';

/** Checks every store of the browser, for as long as another tab might still write something back. */
async function leavesNothing(scene: Scene, { includesDeviceCookie = false } = {}): Promise<void> {
  const { page } = scene.visitor;
  await waitForExpectation(async () => expect(Object.keys((await readBrowserStores(page)).databases)).toEqual([]));
  const found = await readStoredText(page, scene.visitor.context);
  for (const trace of traces(scene)) {
    expect(found).not.toContain(trace);
  }
  const cookies = (await scene.visitor.context.cookies()).map(({ name }) => name);
  expect(cookies.filter((name) => name !== deviceCookieName || includesDeviceCookie)).toEqual([]);
  expect(found).not.toContain('nolo-pictures');
}

/** Ada's number, which is also among Ben's contacts: it is a trace only as the number to sign in with. */
function ada({ ada: { user } }: Scene): string {
  return `"nolo.phone":"${user.phone}"`;
}

/** Checks that the next user, whose session replaces the previous one, finds nothing of her. */
async function anotherPerson(scene: Scene): Promise<void> {
  const { ben, visitor } = scene;
  const { page, context } = visitor;
  // Simulates a provider's sign-in: the session belongs to another user from one request to the next.
  await visitor.go('about:blank');
  await context.unroute(/\/api\/messages$/);
  await signIn(context, ben.user);
  await visitor.go('/');
  await waitUntilVisible(new ChatsPage(page).row(scene.ada.name));
  await waitForExpectation(async () => {
    const stores = await readBrowserStores(page);
    const databases = Object.keys(stores.databases).filter((name) => name !== `nolo-keys-${ben.user.id}`);
    expect(databases).toEqual([`nolo-account-${ben.user.id}`]);
    expect(Object.keys(stores.caches).filter((name) => name.startsWith('nolo-pictures'))).toEqual([
      `nolo-pictures-${ben.user.id}`,
    ]);
  });
  const found = await readStoredText(page, context);
  for (const trace of ['Unsent and unseen', 'A draft of hers', ada(scene)]) expect(found).not.toContain(trace);
  expect(await listUnsentTexts(page)).toEqual([]);
}

story(
  'signing out or switching accounts leaves none of the person’s data in any browser store, from any tab',
  async () => {
    const scene = await wellKnownDevice();
    const { visitor, ben } = scene;
    const { page, context } = visitor;
    // The device does contain her data, so that finding nothing means something.
    const before = await readOpenedText(page);
    for (const trace of traces(scene)) expect(before).toContain(trace);
    // The texts are sealed.
    const sealed = await readStoredText(page, context);
    for (const text of [...words, 'Unsent and unseen', 'A draft of hers']) expect(sealed).not.toContain(text);

    const otherTab = await context.newPage();
    await otherTab.goto(`/chat/${scene.id}`);
    const other = new ConversationPage(otherTab, ben.name);
    await waitUntilVisible(other.deliveryIcon('Unsent and unseen', 'waiting'));
    await other.composer.fill('A draft of hers, in another tab');
    const lateRequests: string[] = [];
    otherTab.on('response', (reply) => {
      if (reply.status() === 401) lateRequests.push(reply.url());
    });
    const third = await context.newPage();
    await third.goto('/contacts');
    await waitUntilVisible(third.getByRole('main').getByRole('button').filter({ hasText: ben.name }));

    // The composer is still open: its content must not be written back when it closes.
    await page.getByRole('button', { name: en.chats.account }).click();
    await page.getByRole('menuitem', { name: en.chats.logout }).click();
    await new ProfilePage(page).confirm().click();
    await waitUntilVisible(new LandingPage(page).headline);
    await waitUntilVisible(new LandingPage(otherTab).headline);
    await leavesNothing(scene);
    // The tab stopped immediately, without learning it from a refused request.
    expect(lateRequests).toEqual([]);
    // Closes the other tabs, and with them whatever they could still have written.
    await otherTab.close();
    await third.close();
    await leavesNothing(scene);
    await page.reload();
    await waitUntilVisible(new LandingPage(page).headline);
    await leavesNothing(scene);
    await anotherPerson(await wellKnownDevice({ before: visitor }));
  },
);

/**
 * Checks that a session that ended while the app was closed shows stored data only for a moment, and then erases it.
 */
async function endedWhileClosed(scene: Scene): Promise<void> {
  const { ada, visitor, conversation, id } = scene;
  const { page, context } = visitor;
  await visitor.go('about:blank');
  const sessions = await ada.user.api.get<{ id: string; current: boolean }[]>('/api/sessions');
  for (const session of sessions.body) {
    if (!session.current) await ada.user.api.delete(`/api/sessions/${session.id}`);
  }
  await context.setOffline(true);
  await visitor.go(`/chat/${id}`);
  await waitUntilVisible(conversation.message('Known to nobody else'));
  await context.setOffline(false);
  await waitUntilVisible(new PhoneSignInPage(page).heading);
  // The account's keys stay, with which the device continues if its session only expired. They name the
  // account, and the people and conversations that they open.
  const keys = `nolo-keys-${ada.user.id}`;
  const otherDatabases = async () =>
    Object.keys((await readBrowserStores(page)).databases).filter((name) => name !== keys);
  await waitForExpectation(async () => expect(await otherDatabases()).toEqual([]));
  const found = JSON.stringify(await readBrowserStores(page));
  const named = [ada.user.phone, ada.user.id, scene.ben.user.id, id];
  for (const trace of traces(scene)) if (!named.includes(trace)) expect(found).not.toContain(trace);
  await keysEndAfter30Days(scene, keys);
}

/** Opens the app a month later, which erases the keys. */
async function keysEndAfter30Days({ visitor: { context } }: Scene, keys: string): Promise<void> {
  const page = await context.newPage();
  const listed = async () => Object.keys((await readBrowserStores(page)).databases);
  await page.goto('/');
  expect(await listed()).toContain(keys);
  await page.addInitScript(`{ const now = Date.now; Date.now = () => now() + ${31 * 86_400_000}; }`);
  await page.reload();
  await waitForExpectation(async () => expect(await listed()).not.toContain(keys));
  await page.close();
}

story(
  'an ended session and a deleted account also leave the device; within days the account can be restored',
  async () => {
    const first = await wellKnownDevice({ installs: true });
    await endedWhileClosed(first);
    const { visitor } = first;
    // Removes the stored number, so that no sign-in is suggested for it.
    await visitor.page.evaluate('localStorage.clear()');
    await visitor.context.unroute(/\/api\/messages$/);
    const scene = await wellKnownDevice({ before: visitor });
    const { page } = visitor;
    await visitor.go('/profile');
    const profile = new ProfilePage(page);
    await waitUntilVisible(profile.heading);
    await page.getByRole('button', { name: en.profile.deleteAccount }).click();
    const dialog = page.getByRole('alertdialog');
    await dialog.getByRole('textbox').fill(en.profile.deleteWord);
    await dialog.getByRole('button', { name: en.profile.deleteForGood }).click();
    await waitUntilVisible(new LandingPage(page).headline);
    await waitForPath(page, '/');
    await leavesNothing(scene, { includesDeviceCookie: true });

    await (await new LandingPage(page).startWithPhone()).signIn(scene.ada.user.phone);
    await waitUntilVisible(page.getByRole('heading', { name: enClosing.title }));
    await page.getByRole('button', { name: enClosing.keep }).click();
    await waitUntilVisible(page.getByText(enClosing.kept));
    await visitor.go('/');
    await waitUntilVisible(new ChatsPage(page).row(scene.ben.name));
  },
);
