import type { Page } from 'playwright-core';
import { ConversationPage } from './pages/ConversationPage.ts';
import { createFriends } from './support/cast.ts';
import { setUpJourney } from './support/journey.ts';
import { startLocalSite } from './support/localSite.ts';
import { aSmallPicture } from './support/pictures.ts';
import { waitUntilHidden, waitUntilVisible, waitForExpectation } from './support/waitFor.ts';
import { enMessages, fillPlaceholders } from './support/words.ts';

const title = 'The lighthouse at dusk';
let previewRequests = 0;
const site = startLocalSite((request, response) => {
  if (request.url === '/lamp.png') {
    response.writeHead(200, { 'content-type': 'image/png' }).end(aSmallPicture([230, 170, 60]));
    return;
  }
  previewRequests += 1;
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
  response.end(
    `<head><title>${title}</title><meta property="og:image" content="/lamp.png"><meta name="description" content="A walk of an hour."></head>`,
  );
});

const { story, openPage, url } = setUpJourney(site.url);

story('a link preview is sent if the sender wants it, and only then', async () => {
  const { ada, ben, id } = await createFriends(url());
  const [adas, bens] = [
    await openPage({ as: ada.user, path: `/chat/${id}` }),
    await openPage({ as: ben.user, path: `/chat/${id}` }),
  ];
  const [adasChat, bensChat] = [new ConversationPage(adas.page, ben.name), new ConversationPage(bens.page, ada.name)];
  const host = site.host();
  const link = `http://${host}/lighthouse`;
  const composed = adas.page.getByRole('status').filter({ hasText: title });
  const card = (chat: ConversationPage, text: string) =>
    chat.message(text).getByRole('link', { name: `${title}. ${fillPlaceholders(enMessages.preview.open, { host })}` });
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

  // Fetching waits until she has been asked.
  await adasChat.composer.fill(`On Friday? ${link}`);
  await waitUntilVisible(adas.page.getByText(enMessages.preview.ask));
  expect(previewRequests).toBe(0);
  await button(adas.page, enMessages.preview.yes).click();
  await waitUntilVisible(composed);
  expect(previewRequests).toBe(1);
  await adasChat.composer.press('Enter');
  await waitUntilVisible(card(adasChat, 'On Friday?'), card(bensChat, 'On Friday?'));
  expect(await card(bensChat, 'On Friday?').getAttribute('href')).toBe(link);
  // The preview image came with the message, and from nowhere else.
  await waitForExpectation(async () => {
    const picture = await card(bensChat, 'On Friday?').locator('img').getAttribute('src');
    expect(picture).toMatch(/^data:image\//);
  });

  // Sent without its preview, the link is still a link.
  await adasChat.composer.fill(`Or Saturday? ${link}`);
  await waitUntilVisible(composed);
  await button(adas.page, enMessages.preview.remove).click();
  await waitUntilHidden(composed);
  await adasChat.composer.press('Enter');
  await waitUntilVisible(bensChat.message('Or Saturday?').getByRole('link', { name: link, exact: true }));
  expect(await card(bensChat, 'Or Saturday?').count()).toBe(0);

  // A link to a non-public address is refused, and the text is sent without a preview.
  const refusal = adas.page.waitForResponse((response) => response.url().endsWith('/api/link-previews'));
  await adasChat.composer.fill('The router is at http://10.0.0.1/admin');
  expect((await refusal).status()).toBe(422);
  await adasChat.composer.press('Enter');
  await waitUntilVisible(bensChat.message('The router is at'));
  expect(await bensChat.message('The router is at').getByRole('link').count()).toBe(1);
});
