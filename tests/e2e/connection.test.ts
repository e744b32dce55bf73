import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ConversationPage } from './pages/ConversationPage.ts';
import { Shell } from './pages/Shell.ts';
import { createFriends } from './support/cast.ts';
import { setUpJourney } from './support/journey.ts';
import { startOwnGateway } from './support/ownGateway.ts';
import { waitUntilHidden, waitUntilVisible, waitForExpectation } from './support/waitFor.ts';
import { en } from './support/words.ts';

// Has its own gateway because the test stops it.
const privateGateway = startOwnGateway();
const { story, openPage, url } = setUpJourney(privateGateway.url);

/** Checks that both see these messages, each once and in the same order. */
async function bothSee(adas: ConversationPage, bens: ConversationPage, texts: readonly string[]): Promise<void> {
  await waitForExpectation(async () => {
    const [atAdas, atBens] = await Promise.all([adas.texts(), bens.texts()]);
    expect([...atAdas].toSorted()).toEqual([...texts].toSorted());
    expect(atBens).toEqual(atAdas);
  });
}

story('the app reports that the server is gone and offers Retry, and both have everything afterwards', async () => {
  const { ada, ben, id } = await createFriends(url());
  const [adaVisitor, benVisitor] = await Promise.all([
    openPage({ as: ada.user, path: `/chat/${id}`, installs: true }),
    openPage({ as: ben.user, path: `/chat/${id}` }),
  ]);
  const { page } = adaVisitor;
  const [adas, bens] = [new ConversationPage(page, ben.name), new ConversationPage(benVisitor.page, ada.name)];
  const [adasShell, bensShell] = [new Shell(page), new Shell(benVisitor.page)];
  await adas.sendText('First');
  await waitUntilVisible(adas.deliveryIcon('First', 'read'));
  await bens.sendText('Second');
  await waitUntilVisible(bens.deliveryIcon('Second', 'read'));
  await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
  await page.reload();
  await waitUntilVisible(adas.message('Second'));
  expect(await page.evaluate('navigator.serviceWorker.controller !== null')).toBe(true);

  const gateway = privateGateway.unit();
  await gateway.kill('SIGKILL', { hold: true });
  await waitUntilVisible(adasShell.reconnectingBanner, bensShell.reconnectingBanner);
  await bens.sendText('Into the silence');
  await adas.sendText('Hello, hello?');
  await waitUntilVisible(
    bens.deliveryIcon('Into the silence', 'waiting'),
    adas.deliveryIcon('Hello, hello?', 'waiting'),
  );
  // Five quick attempts, and then a quiet Retry.
  await adasShell.lostBanner.waitFor({ timeout: 60_000 });
  await bensShell.lostBanner.waitFor({ timeout: 60_000 });

  // The returning server has a newer version: one more byte in its service worker is enough.
  const script = join(privateGateway.webFolder(), 'serviceWorker.js');
  await writeFile(script, `${await readFile(script, 'utf8')}\n// A newer one.\n`);
  await gateway.start();
  await adasShell.retry.click();
  await bensShell.retry.click();
  await waitUntilHidden(
    adasShell.lostBanner,
    bensShell.lostBanner,
    adasShell.reconnectingBanner,
    bensShell.reconnectingBanner,
  );
  await waitUntilVisible(adas.message('Into the silence'), bens.message('Hello, hello?'));
  await bothSee(adas, bens, ['First', 'Second', 'Into the silence', 'Hello, hello?']);
  // Everybody is still signed in, and the connection is as good as before.
  await adas.sendText('There you are');
  await waitUntilVisible(bens.message('There you are'), adas.deliveryIcon('There you are', 'read'));

  // The update waits until the user accepts it, and a draft and an unsent message survive it.
  const messages = /\/api\/messages$/;
  await page.route(messages, (route) => route.abort());
  await adas.sendText('Not sent yet');
  await waitUntilVisible(adas.deliveryIcon('Not sent yet', 'waiting'));
  await adas.composer.fill('Half a sentence');
  await page.evaluate(
    'navigator.serviceWorker.getRegistration().then((known) => known.update()).then(() => undefined)',
  );
  await waitUntilVisible(page.getByText(en.shell.updateReady));
  expect(await adas.composer.inputValue()).toBe('Half a sentence');
  await page.getByRole('button', { name: en.shell.reload }).click();
  await waitUntilHidden(page.getByText(en.shell.updateReady));
  await waitForExpectation(async () => expect(await adas.composer.inputValue()).toBe('Half a sentence'));
  await waitUntilVisible(adas.deliveryIcon('Not sent yet', 'waiting'));
  await page.unroute(messages);
  await waitUntilVisible(adas.deliveryIcon('Not sent yet', 'read'), bens.message('Not sent yet'));
});
