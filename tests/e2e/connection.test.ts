import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ConversationPage } from './pages/ConversationPage.ts';
import { Shell } from './pages/Shell.ts';
import { friends } from './support/cast.ts';
import { journey, type Visitor } from './support/journey.ts';
import { ownGateway } from './support/ownGateway.ts';
import { gone, see, soon } from './support/see.ts';
import { en } from './support/words.ts';

// Here the door of the house is taken away.
const door = ownGateway();
const { story, visit, url } = journey(door.url);

async function bothAtTheirDesks(): Promise<{
  adas: ConversationPage;
  bens: ConversationPage;
  adaVisits: Visitor;
  benVisits: Visitor;
}> {
  const { ada, ben, id } = await friends(url());
  const [adaVisits, benVisits] = await Promise.all([
    visit({ as: ada.user, path: `/chat/${id}` }),
    visit({ as: ben.user, path: `/chat/${id}` }),
  ]);
  const adas = new ConversationPage(adaVisits.page, ben.name);
  const bens = new ConversationPage(benVisits.page, ada.name);
  await adas.say('First');
  await see(adas.mark('First', 'read'));
  await bens.say('Second');
  await see(bens.mark('Second', 'read'));
  return { adas, bens, adaVisits, benVisits };
}

/** Both see these messages, each once and in the same order. */
async function bothSee(adas: ConversationPage, bens: ConversationPage, texts: readonly string[]): Promise<void> {
  await soon(async () => {
    const [atAdas, atBens] = await Promise.all([adas.texts(), bens.texts()]);
    expect([...atAdas].toSorted()).toEqual([...texts].toSorted());
    expect(atBens).toEqual(atAdas);
  }, 30_000);
}

story('what both wrote, changed and took back while one had no network arrives once, in one order', async () => {
  const { adas, bens, benVisits } = await bothAtTheirDesks();
  const shell = new Shell(benVisits.page);

  await benVisits.context.setOffline(true);
  await see(shell.offlineBanner);
  await bens.say('Written in the tunnel');
  await bens.say('And one more');
  await see(bens.mark('Written in the tunnel', 'waiting'), bens.mark('And one more', 'waiting'));
  await adas.say('Are you on the train?');
  await see(adas.mark('Are you on the train?', 'sent'));
  expect(await adas.message('Written in the tunnel').count()).toBe(0);
  await adas.edit('First', 'First, as it should have been');
  await adas.say('Third');
  await see(adas.mark('Third', 'sent'));
  await adas.deleteForEveryone('Third');

  await benVisits.context.setOffline(false);
  await gone(shell.offlineBanner);
  await see(bens.message('Are you on the train?'), adas.message('Written in the tunnel'));
  await see(bens.message('First, as it should have been'));
  await see(bens.mark('And one more', 'read'), adas.mark('Are you on the train?', 'read'));
  await soon(async () => {
    const [atAdas, atBens] = await Promise.all([adas.texts(), bens.texts()]);
    expect(atBens).toEqual(atAdas);
    for (const text of ['Second', 'Written in the tunnel', 'And one more', 'Are you on the train?']) {
      expect(atBens.filter((one) => one === text)).toHaveLength(1);
    }
    expect(atBens.join()).not.toContain('Third');
  }, 30_000);
});

story('the server goes away: the app says so, offers Retry, and both have everything afterwards', async () => {
  const { adas, bens, adaVisits, benVisits } = await bothAtTheirDesks();
  const [adasShell, bensShell] = [new Shell(adaVisits.page), new Shell(benVisits.page)];
  const gateway = door.unit();

  await gateway.kill('SIGKILL', { hold: true });
  await see(adasShell.reconnectingBanner, bensShell.reconnectingBanner);
  await bens.say('Into the silence');
  await adas.say('Hello, hello?');
  await see(bens.mark('Into the silence', 'waiting'), adas.mark('Hello, hello?', 'waiting'));
  // Five quick attempts, and then a quiet Retry.
  await adasShell.lostBanner.waitFor({ timeout: 60_000 });
  await bensShell.lostBanner.waitFor({ timeout: 60_000 });

  await gateway.start();
  await adasShell.retry.click();
  await bensShell.retry.click();
  await gone(adasShell.lostBanner, bensShell.lostBanner, adasShell.reconnectingBanner, bensShell.reconnectingBanner);
  await see(adas.message('Into the silence'), bens.message('Hello, hello?'));
  await bothSee(adas, bens, ['First', 'Second', 'Into the silence', 'Hello, hello?']);
  // Nobody was signed out, and the line is as good as before.
  await adas.say('There you are');
  await see(bens.message('There you are'), adas.mark('There you are', 'read'));
});

story('a new version waits until one takes it up, and a draft and an unsent message survive that', async () => {
  const { ada, ben, id } = await friends(url(), ['Hello']);
  const visitor = await visit({ as: ada.user, path: `/chat/${id}`, installs: true });
  const { page } = visitor;
  const conversation = new ConversationPage(page, ben.name);
  await see(conversation.message('Hello'));
  await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
  await page.reload();
  await see(conversation.message('Hello'));
  expect(await page.evaluate('navigator.serviceWorker.controller !== null')).toBe(true);
  const messages = /\/api\/messages$/;
  await page.route(messages, (route) => route.abort());
  await conversation.say('Not sent yet');
  await see(conversation.mark('Not sent yet', 'waiting'));
  await conversation.composer.fill('Half a sentence');

  // A byte more in its service worker makes another version of the app; the gateway serves it from its next start on.
  const script = join(door.webFolder(), 'serviceWorker.js');
  await writeFile(script, `${await readFile(script, 'utf8')}\n// A newer one.\n`);
  await door.unit().kill('SIGTERM', { hold: true });
  await door.unit().start();
  await page.evaluate(
    'navigator.serviceWorker.getRegistration().then((known) => known.update()).then(() => undefined)',
  );
  await see(page.getByText(en.shell.updateReady));
  expect(await conversation.composer.inputValue()).toBe('Half a sentence');
  await page.getByRole('button', { name: en.shell.reload }).click();
  await gone(page.getByText(en.shell.updateReady));
  await soon(async () => expect(await conversation.composer.inputValue()).toBe('Half a sentence'));
  await see(conversation.mark('Not sent yet', 'waiting'));
  await page.unroute(messages);
  await see(conversation.mark('Not sent yet', 'sent'));
  expect(await conversation.texts()).toEqual(['Hello', 'Not sent yet']);
});
