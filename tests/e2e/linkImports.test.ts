import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Message } from '@nolo/api';
import { MediaPage } from './pages/MediaPage.ts';
import { seriousIssues } from './support/accessibility.ts';
import { friends } from './support/cast.ts';
import { journey } from './support/journey.ts';
import { aPhotograph } from './support/mediaFiles.ts';
import { gone, see, soon } from './support/see.ts';
import { startSharedStack, type SharedStack } from './support/sharedStack.ts';
import { en, enMedia, words } from './support/words.ts';

const archive = Buffer.alloc(400_000, 'walks ');
let picture: Buffer = Buffer.alloc(0);
let broken = 0;
const site = createServer((request, response) => {
  if (request.url === '/Lighthouse.jpg') {
    response.writeHead(200, { 'content-type': 'image/jpeg', 'content-length': picture.length }).end(picture);
  } else if (request.url === '/Walks.bin') {
    response.writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': archive.length });
    // The rest never comes.
    response.write(archive.subarray(0, 100_000));
    response.once('close', () => (broken += 1));
  } else {
    response.writeHead(404).end();
  }
});

// Its own Nolo, for only a gateway that was made for it fetches from this machine.
let own: SharedStack | undefined;
const { story, visit, url } = journey(() => own?.urls[0] ?? '');

beforeAll(async () => {
  picture = (await aPhotograph('Lighthouse.jpg', '#3f5878')).buffer;
  site.listen(0, '127.0.0.1');
  await once(site, 'listening');
  own = await startSharedStack({ gatewayModule: 'services/gateway/tests/localLinksProcess.ts' });
}, 120_000);
afterAll(async () => {
  site.close();
  site.closeAllConnections();
  await own?.stop();
}, 60_000);

story('a file behind a link is looked at, fetched by the server and sent', async () => {
  const { ada, ben, id } = await friends(url());
  const path = `/chat/${id}`;
  const [adas, bens] = [await visit({ as: ada.user, path }), await visit({ as: ben.user, path, device: 'phone' })];
  const [adasChat, bensChat] = [new MediaPage(adas.page, ben.name), new MediaPage(bens.page, ada.name)];
  const { port } = site.address() as AddressInfo;
  const dialog = adas.page.getByRole('dialog', { name: enMedia.link.title });
  const press = (name: string) => dialog.getByRole('button', { name, exact: true }).click();
  const look = async (file: string): Promise<void> => {
    await dialog.getByRole('textbox', { name: enMedia.link.address }).fill(`http://127.0.0.1:${String(port)}/${file}`);
    await press(enMedia.link.look);
  };

  await adasChat.attach.click();
  await adasChat.choose(en.conversation.attachLink);
  await look('nothing');
  await see(dialog.getByText(enMedia.link.unreachable));
  await look('Lighthouse.jpg');
  await see(dialog.getByText('Lighthouse.jpg'));
  expect(await seriousIssues(adas.page, 'a file behind a link', 'light')).toEqual([]);
  await dialog.getByRole('textbox', { name: enMedia.link.caption }).fill('From their site');
  await press(enMedia.link.send);
  await gone(dialog);
  await see(bensChat.message('From their site'));
  const shown = bensChat.message('From their site').getByRole('button', { name: /^Open the picture/ });
  await soon(async () => expect(await bensChat.isDrawn(shown)).toBe(true));

  // What does not come to its end can be given up, there too.
  await adasChat.attach.click();
  await adasChat.choose(en.conversation.attachLink);
  await look('Walks.bin');
  await see(dialog.getByText('Walks.bin'));
  const before = broken;
  await press(enMedia.link.send);
  await see(dialog.getByRole('progressbar', { name: words(enMedia.link.bringing, { name: 'Walks.bin' }) }));
  await press(en.common.cancel);
  await gone(dialog);
  await soon(() => expect(broken).toBeGreaterThan(before));
  const reply = await ben.user.api.get<{ messages: Message[] }>(`/api/conversations/${id}/messages?limit=100`);
  expect(reply.body.messages.map(({ messageType }) => messageType)).toEqual(['image']);
});
