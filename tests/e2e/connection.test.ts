import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ConversationPage } from './pages/ConversationPage.ts';
import { Shell } from './pages/Shell.ts';
import { friends } from './support/cast.ts';
import { journey } from './support/journey.ts';
import { ownGateway } from './support/ownGateway.ts';
import { gone, see, soon } from './support/see.ts';
import { en } from './support/words.ts';

// Has its own gateway because the test stops it.
const door = ownGateway();
const { story, visit, url } = journey(door.url);

/** Checks that both see these messages, each once and in the same order. */
async function bothSee(adas: ConversationPage, bens: ConversationPage, texts: readonly string[]): Promise<void> {
  await soon(async () => {
    const [atAdas, atBens] = await Promise.all([adas.texts(), bens.texts()]);
    expect([...atAdas].toSorted()).toEqual([...texts].toSorted());
    expect(atBens).toEqual(atAdas);
  });
}

story('the server goes away: the app says so, offers Retry, and both have everything afterwards', async () => {
  const { ada, ben, id } = await friends(url());
  const [adaVisits, benVisits] = await Promise.all([
    visit({ as: ada.user, path: `/chat/${id}`, installs: true }),
    visit({ as: ben.user, path: `/chat/${id}` }),
  ]);
  const { page } = adaVisits;
  const [adas, bens] = [new ConversationPage(page, ben.name), new ConversationPage(benVisits.page, ada.name)];
  const [adasShell, bensShell] = [new Shell(page), new Shell(benVisits.page)];
  await adas.say('First');
  await see(adas.mark('First', 'read'));
  await bens.say('Second');
  await see(bens.mark('Second', 'read'));
  await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
  await page.reload();
  await see(adas.message('Second'));
  expect(await page.evaluate('navigator.serviceWorker.controller !== null')).toBe(true);

  const gateway = door.unit();
  await gateway.kill('SIGKILL', { hold: true });
  await see(adasShell.reconnectingBanner, bensShell.reconnectingBanner);
  await bens.say('Into the silence');
  await adas.say('Hello, hello?');
  await see(bens.mark('Into the silence', 'waiting'), adas.mark('Hello, hello?', 'waiting'));
  // Five quick attempts, and then a quiet Retry.
  await adasShell.lostBanner.waitFor({ timeout: 60_000 });
  await bensShell.lostBanner.waitFor({ timeout: 60_000 });

  // The returning server has a newer version: one more byte in its service worker is enough.
  const script = join(door.webFolder(), 'serviceWorker.js');
  await writeFile(script, `${await readFile(script, 'utf8')}\n// A newer one.\n`);
  await gateway.start();
  await adasShell.retry.click();
  await bensShell.retry.click();
  await gone(adasShell.lostBanner, bensShell.lostBanner, adasShell.reconnectingBanner, bensShell.reconnectingBanner);
  await see(adas.message('Into the silence'), bens.message('Hello, hello?'));
  await bothSee(adas, bens, ['First', 'Second', 'Into the silence', 'Hello, hello?']);
  // Everybody is still signed in, and the connection is as good as before.
  await adas.say('There you are');
  await see(bens.message('There you are'), adas.mark('There you are', 'read'));

  // The update waits until the user accepts it, and a draft and an unsent message survive it.
  const messages = /\/api\/messages$/;
  await page.route(messages, (route) => route.abort());
  await adas.say('Not sent yet');
  await see(adas.mark('Not sent yet', 'waiting'));
  await adas.composer.fill('Half a sentence');
  await page.evaluate(
    'navigator.serviceWorker.getRegistration().then((known) => known.update()).then(() => undefined)',
  );
  await see(page.getByText(en.shell.updateReady));
  expect(await adas.composer.inputValue()).toBe('Half a sentence');
  await page.getByRole('button', { name: en.shell.reload }).click();
  await gone(page.getByText(en.shell.updateReady));
  await soon(async () => expect(await adas.composer.inputValue()).toBe('Half a sentence'));
  await see(adas.mark('Not sent yet', 'waiting'));
  await page.unroute(messages);
  await see(adas.mark('Not sent yet', 'read'), bens.message('Not sent yet'));
});
