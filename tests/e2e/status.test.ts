import type { StatusUpdate } from '@nolo/api';
import { ConversationPage } from './pages/ConversationPage.ts';
import { StatusPage } from './pages/StatusPage.ts';
import { Toasts } from './pages/Toasts.ts';
import { findSeriousAxeIssues } from './support/accessibility.ts';
import { befriend, createFriends, createCastMember, type CastMember } from './support/cast.ts';
import { setUpJourney, getUrlWithoutServiceWorker } from './support/journey.ts';
import { aPhoneVideo, aPhotograph } from './support/mediaFiles.ts';
import { waitUntilHidden, waitUntilVisible, waitForExpectation } from './support/waitFor.ts';
import { en, enMessages, enStatus, fillPlaceholders } from './support/words.ts';

const { story, openPage, url } = setUpJourney(getUrlWithoutServiceWorker);

async function post(author: CastMember, status: Record<string, unknown>): Promise<StatusUpdate> {
  const reply = await author.user.api.post<StatusUpdate>('/api/status-updates', status);
  expect(reply.status).toBe(201);
  return reply.body;
}

story('one person posts, another views and replies, and the author sees who it was', async () => {
  const { ada, ben, id } = await createFriends(url());
  const adas = await openPage({ as: ada.user, path: '/status' });
  const bens = await openPage({ as: ben.user, device: 'phone', path: '/status' });
  const [own, other] = [new StatusPage(adas.page), new StatusPage(bens.page)];
  await waitUntilVisible(own.page.getByText(enStatus.emptyOwn), other.page.getByText(enStatus.emptyRecent));
  expect(await findSeriousAxeIssues(adas.page, 'an empty status screen', 'light')).toEqual([]);

  // An empty status cannot be posted.
  await own.page.getByRole('button', { name: enStatus.first }).click();
  await own.post.click();
  await waitUntilVisible(own.dialog.getByText(enStatus.create.empty));
  await own.text.fill('Swimming at sunrise');
  // The text is readable in every chosen color.
  await own.dialog
    .getByRole('radio', { name: fillPlaceholders(enStatus.create.backgroundNamed, { color: 'violet' }) })
    .check();
  await waitForExpectation(async () =>
    expect(await own.dialog.getByRole('radio', { name: enStatus.create.white }).isChecked()).toBe(true),
  );
  expect(await findSeriousAxeIssues(adas.page, 'a status that is made', 'dark')).toEqual([]);
  await own.post.click();
  await new Toasts(adas.page).expectShown(enStatus.posted, enStatus.postedText);
  await waitUntilVisible(own.own);

  // The status appears by itself, until it has been viewed.
  await waitUntilVisible(other.newOnes(ada.name, 1));
  expect(await bens.page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  await other.author(ada.name).click();
  await waitUntilVisible(other.viewing(ada.name), other.page.getByText('Swimming at sunrise'));
  await other.page.getByRole('button', { name: enStatus.viewer.pause }).click();
  expect(await findSeriousAxeIssues(bens.page, 'a status that is looked at', 'light')).toEqual([]);
  const reply = other.page.getByRole('textbox', { name: fillPlaceholders(enStatus.viewer.reply, { name: ada.name }) });
  await reply.fill('How cold was it?');
  await reply.press('Enter');
  await new Toasts(bens.page).expectShown(fillPlaceholders(enStatus.viewer.sent, { name: ada.name }));
  await other.page.getByRole('button', { name: en.common.close }).click();
  await waitUntilVisible(other.author(ada.name).getByText(fillPlaceholders(enStatus.all_one, { count: 1 })));

  await own.own.getByRole('button').click();
  const seen = own.page.getByRole('button', { name: fillPlaceholders(enStatus.views_one, { count: 1 }) });
  await waitUntilVisible(own.viewing(enStatus.you), seen);
  await seen.click();
  await waitUntilVisible(own.page.getByRole('dialog', { name: enStatus.viewer.viewers }).getByText(ben.name));
  await own.page.keyboard.press('Escape');

  // A deleted status is gone for everyone, and the reply to it says so once that is done.
  await own.page.getByRole('button', { name: enStatus.viewer.more }).click();
  await own.page.getByRole('menuitem', { name: enStatus.viewer.delete }).click();
  await own.page.getByRole('alertdialog').getByRole('button', { name: enStatus.viewer.delete }).click();
  await waitUntilVisible(own.page.getByText(enStatus.emptyOwn));
  await waitUntilHidden(other.author(ada.name));
  await adas.go(`/chat/${id}`);
  const answer = new ConversationPage(adas.page, ben.name).message('How cold was it?');
  await waitUntilVisible(answer.getByText(enMessages.statusQuote.own), answer.getByText('Swimming at sunrise'));
});

story(
  'updates of several people play one after the other, by key and by hand, and a muted one stays apart',
  async () => {
    const [ada, ben, cleo] = await Promise.all([
      createCastMember(url(), 'Ada Adams'),
      createCastMember(url(), 'Ben Botha'),
      createCastMember(url(), 'Cleo Cele'),
    ]);
    await Promise.all([befriend(ada, ben), befriend(ada, cleo)]);
    await post(ben, { content: 'First of Ben' });
    await post(ben, { content: 'Second of Ben' });
    await post(cleo, { content: 'Of Cleo' });
    const { page } = await openPage({ as: ada.user });
    // A list that failed to load reports that, and loads on retry.
    await page.route(/\/api\/status-updates\?/, (route) => route.fulfill({ status: 500, body: '{}' }), { times: 1 });
    await page.goto('/status');
    await waitUntilVisible(page.getByText(enStatus.loadFailed));
    await page.getByRole('button', { name: en.common.retry }).click();
    const status = new StatusPage(page);
    await waitUntilVisible(status.author(ben.name), status.author(cleo.name));
    await status.author(cleo.name).click();
    await waitUntilVisible(status.viewing(cleo.name));
    for (const text of ['First of Ben', 'Second of Ben']) {
      await page.keyboard.press('ArrowRight');
      await waitUntilVisible(status.viewer.getByText(text));
    }
    await page.keyboard.press('ArrowLeft');
    await waitUntilVisible(status.viewer.getByText('First of Ben'));
    await page.keyboard.press(' ');
    await waitUntilVisible(page.getByRole('button', { name: enStatus.viewer.play }));
    await page.getByRole('button', { name: enStatus.viewer.more }).click();
    await page.getByRole('menuitem', { name: fillPlaceholders(enStatus.viewer.mute, { name: ben.name }) }).click();
    await new Toasts(page).expectShown(fillPlaceholders(enStatus.viewer.muted, { name: ben.name }));
    await page.getByRole('button', { name: en.common.close }).click();
    await waitUntilHidden(status.viewer, status.author(ben.name));
    await page.getByRole('button', { name: fillPlaceholders(enStatus.showMuted_one, { count: 1 }) }).click();
    await waitUntilVisible(status.author(ben.name));
  },
);

story('only the chosen audience sees an update', async () => {
  const { ada, ben } = await createFriends(url());
  const { page } = await openPage({ as: ada.user, path: '/status' });
  const status = new StatusPage(page);
  await status.add.click();
  const audience = fillPlaceholders(enStatus.audience.button, { who: enStatus.audience.contacts });
  await status.dialog.getByRole('button', { name: audience }).click();
  const dialog = page.getByRole('dialog', { name: enStatus.audience.title });
  await dialog.getByRole('radio', { name: enStatus.audience.except }).check();
  await waitUntilVisible(dialog.getByRole('checkbox', { name: ben.name }));
  expect(await findSeriousAxeIssues(page, 'who sees a status', 'light')).toEqual([]);
  await dialog.getByRole('checkbox', { name: ben.name }).check();
  await dialog.getByRole('button', { name: enStatus.audience.save }).click();
  await waitUntilVisible(status.dialog.getByText(fillPlaceholders(enStatus.audience.exceptCount_one, { count: 1 })));
  await status.text.fill('Not for Ben');
  await status.post.click();
  await new Toasts(page).expectShown(enStatus.posted, enStatus.postedSome);
  const { body } = await ben.user.api.get<StatusUpdate[]>('/api/status-updates');
  expect(body).toEqual([]);
});

story('a photo is sent without its location, and a long video is trimmed', async () => {
  const { ada, ben } = await createFriends(url());
  const { page } = await openPage({ as: ada.user, path: '/status' });
  const status = new StatusPage(page);
  const choose = async (file: { name: string; mimeType: string; buffer: Buffer }) => {
    await status.add.click();
    await status.dialog.getByText(enStatus.create.media).click();
    await status.dialog.locator('input[type=file]').setInputFiles(file);
  };
  await choose(await aPhotograph('Sea.jpg', '#1D4ED8', 800, 600));
  await status.dialog.getByRole('textbox', { name: enStatus.create.caption }).fill('The sea');
  await status.dialog.getByRole('textbox', { name: enStatus.create.alt }).fill('Blue water');
  await status.post.click();
  await new Toasts(page).expectShown(enStatus.posted, enStatus.postedText);

  await choose(await aPhoneVideo('Long.mp4', 63, 3));
  await status.dialog.getByRole('button', { name: enStatus.trim.apply }).click();
  await waitUntilVisible(status.dialog.getByRole('textbox', { name: enStatus.create.caption }));
  // The result for the photograph must not be mistaken for the video's.
  await waitUntilHidden(new Toasts(page).shown);
  await status.post.click();
  await new Toasts(page).expectShown(enStatus.posted, enStatus.postedText);
  const { body } = await ben.user.api.get<StatusUpdate[]>('/api/status-updates');
  expect(body.map(({ mediaType, content, extra }) => [mediaType, content, extra])).toEqual([
    ['image', 'The sea', { alt: 'Blue water' }],
    ['video', '', undefined],
  ]);
  const [, video] = body;
  expect(video?.duration).toBeGreaterThan(58);
  expect(video?.duration).toBeLessThanOrEqual(60);

  const bens = await openPage({ as: ben.user, device: 'phone', path: '/status' });
  const other = new StatusPage(bens.page);
  await other.author(ada.name).click();
  await waitUntilVisible(other.viewer.getByRole('img', { name: 'Blue water' }), bens.page.getByText('The sea'));
});
