import type { Page } from 'playwright-core';
import { ChatsPage } from './pages/ChatsPage.ts';
import { ConversationPage } from './pages/ConversationPage.ts';
import { LandingPage } from './pages/LandingPage.ts';
import { ProfilePage } from './pages/ProfilePage.ts';
import { Shell } from './pages/Shell.ts';
import { Toasts } from './pages/Toasts.ts';
import { createFriends, createCastMember } from './support/cast.ts';
import { setUpJourney } from './support/journey.ts';
import { waitUntilHidden, waitUntilVisible } from './support/waitFor.ts';
import { en, enMessages, enShare } from './support/words.ts';

const { story, openPage, url } = setUpJourney();

/** Simulates Chromium's event for an installable app, which it never sends when headless. */
async function offerInstall(page: Page): Promise<void> {
  await page.evaluate(`(() => {
    const offer = new Event('beforeinstallprompt', { cancelable: true });
    offer.prompt = () => { globalThis.prompted = (globalThis.prompted ?? 0) + 1; return Promise.resolve(); };
    offer.userChoice = Promise.resolve({ outcome: 'accepted' });
    dispatchEvent(offer);
    globalThis.prevented = offer.defaultPrevented;
  })()`);
}

story('the browser’s install prompt appears as buttons, once', async () => {
  const { user } = await createCastMember(url(), 'Ada Adams');
  const visitor = await openPage({ as: user, device: 'phone', path: '/' });
  const { page } = visitor;
  const chats = new ChatsPage(page);
  await waitUntilVisible(chats.emptyTitle);
  expect(await chats.install.count()).toBe(0);
  await offerInstall(page);
  expect(await page.evaluate('prevented')).toBe(true);
  await waitUntilVisible(chats.install);

  await new Shell(page).link('profile').click();
  const profile = new ProfilePage(page);
  await profile.install.click();
  await new Toasts(page).expectShown(en.profile.installing);
  expect(await page.evaluate('prompted')).toBe(1);
  // The prompt can be shown once.
  await waitUntilHidden(profile.install);
  await new Shell(page).link('chats').click();
  await waitUntilVisible(chats.emptyTitle);
  await waitUntilHidden(chats.install);
});

story('the manifest describes an installable app, and the landing page opens offline', async () => {
  const visitor = await openPage({ path: '/', installs: true });
  const { page } = visitor;
  const href = await page.locator('link[rel=manifest]').getAttribute('href');
  const reply = await page.request.get(href ?? '');
  expect(reply.headers()['content-type']).toMatch(/^application\/(manifest\+)?json/);
  const manifest = (await reply.json()) as {
    name: string;
    start_url: string;
    display: string;
    icons: { src: string; sizes: string; type: string; purpose?: string }[];
    shortcuts: { url: string }[];
  };
  expect(manifest).toMatchObject({
    id: '/',
    name: 'Nolo',
    short_name: 'Nolo',
    start_url: '/',
    scope: '/',
    display: 'standalone',
  });
  // Chromium requires icons of 192 and 512 pixels, and one that can be cropped to any shape.
  expect(manifest.icons.map(({ sizes }) => sizes)).toEqual(expect.arrayContaining(['192x192', '512x512']));
  expect(manifest.icons.some(({ purpose }) => purpose === 'maskable')).toBe(true);
  for (const { src, type } of manifest.icons) {
    const icon = await page.request.get(src);
    expect([src, icon.status(), icon.headers()['content-type']]).toEqual([src, 200, type]);
  }
  for (const { url: path } of manifest.shortcuts) expect((await page.request.get(path)).status()).toBe(200);
  // The browser itself reports no manifest errors.
  const inspector = await visitor.context.newCDPSession(page);
  const { errors } = await inspector.send('Page.getAppManifest');
  expect(errors).toEqual([]);

  await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
  await visitor.context.setOffline(true);
  await page.reload();
  await waitUntilVisible(new LandingPage(page).headline);
});

/** Simulates the system passing what another app shares. */
const share = `(() => {
  const form = Object.assign(document.createElement('form'), { method: 'post', action: '/share-target', enctype: 'multipart/form-data' });
  const field = (values) => form.append(Object.assign(document.createElement('input'), values));
  field({ name: 'title', value: 'The plan' });
  field({ name: 'url', value: 'https://example.org/plan' });
  field({ name: 'files', type: 'file' });
  const files = new DataTransfer();
  files.items.add(new File(['a plan'], 'plan.txt', { type: 'text/plain' }));
  form.lastChild.files = files.files;
  document.body.append(form);
  form.submit();
})()`;

story('content shared by another app goes to the chosen chats, through no third-party server', async () => {
  const { ada, ben } = await createFriends(url(), ['Hello Ben']);
  const { page } = await openPage({ as: ada.user, path: '/', installs: true });
  await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
  await page.reload();
  await page.waitForFunction('navigator.serviceWorker.controller !== null');
  await page.evaluate(share);
  const dialog = page.getByRole('dialog', { name: enShare.received });
  await dialog.getByRole('checkbox', { name: ben.name }).check();
  await dialog.getByRole('button', { name: enMessages.forwardTo.send }).click();
  const chat = new ConversationPage(page, ben.name);
  await waitUntilVisible(chat.message('https://example.org/plan'));
  await waitUntilVisible(page.getByText('plan.txt'));
  // The question does not come a second time.
  await page.goto('/received');
  await waitUntilHidden(dialog);
});
