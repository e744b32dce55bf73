import { upload } from '../support/authorizationCast.ts';
import { must } from '../support/must.ts';
import { CallPage } from './pages/CallPage.ts';
import { ChatsPage } from './pages/ChatsPage.ts';
import { ConversationPage } from './pages/ConversationPage.ts';
import { GroupPage } from './pages/GroupPage.ts';
import { RequestsPage } from './pages/RequestsPage.ts';
import { Toasts } from './pages/Toasts.ts';
import { axeIssues } from './support/accessibility.ts';
import { meet } from './support/boxes.ts';
import { newcomer, say } from './support/cast.ts';
import { groupOf } from './support/groups.ts';
import { journey } from './support/journey.ts';
import { atRest, gone, see, soon } from './support/see.ts';
import { enRequests, words } from './support/words.ts';

const { story, visit, url } = journey();

story('of a stranger nothing is loaded, told or heard, until they are accepted', async () => {
  const [ada, ben] = await Promise.all([newcomer(url(), 'Ada Adams'), newcomer(url(), 'Ben Botha')]);
  const picture = must(
    await ada.user.api.put('/api/profile/image', { profileImageURL: await upload(ada.user) }),
    'The picture',
  ).body as { objectPath: string };
  const made = must(await ada.user.api.post('/api/conversations', { otherUserId: ben.user.id }), 'The conversation');
  const { id } = made.body as { id: string };
  await say(ada, id, 'Hello, see https://example.org/flat');

  const [adas, bens] = await Promise.all([
    visit({ as: ada.user, path: `/chat/${id}` }),
    visit({ as: ben.user, device: 'phone' }),
  ]);
  const loaded: string[] = [];
  bens.page.on('request', (request) => void loaded.push(new URL(request.url()).pathname));
  await bens.go('/');
  const requests = new RequestsPage(bens.page);
  await see(requests.oneWaits);
  await gone(new ChatsPage(bens.page).row(ada.name));
  expect(await bens.page.title()).not.toContain('(1)');
  await requests.open(ada.name);
  await see(
    requests.message(ada.name, 'https://example.org/flat'),
    bens.page.getByText(words(enRequests.unseen, { name: ada.name })),
  );
  expect(await requests.message(ada.name, 'Hello').getByRole('link').count()).toBe(0);
  expect(await axeIssues(bens.page, 'a request', 'light')).toEqual([]);
  const desk = new ConversationPage(adas.page, ben.name);
  await see(desk.mark('Hello', 'sent'));
  expect(loaded.filter((path) => path.startsWith('/objects/'))).toEqual([]);

  // A call from a stranger does not ring before the request is accepted, and rings afterwards.
  const [caller, callee] = [new CallPage(adas.page, ben.name), new CallPage(bens.page, ada.name)];
  await caller.voiceCall.click();
  await see(caller.ringing);
  await gone(callee.incoming);
  await caller.end.click();

  // Errors are shown next to the answers and do not cover them, on the smallest phones as well.
  await bens.page.setViewportSize({ width: 320, height: 568 });
  const setting = ({ pathname }: URL) => pathname.startsWith(`/api/conversations/${id}`);
  await bens.page.route(setting, (route) => route.abort());
  await requests.accept.click();
  const toasts = new Toasts(bens.page);
  await toasts.says(enRequests.acceptFailed);
  await atRest(bens.page);
  expect(await meet(toasts.shown, requests.bar)).toBe(false);
  await bens.page.unroute(setting);

  await requests.accept.click();
  await caller.voiceCall.click();
  await callee.answer('decline').click();
  await gone(caller.screen);
  const phone = new ConversationPage(bens.page, ada.name);
  await see(phone.message('Hello').getByRole('link'), desk.mark('Hello', 'read'));
  await soon(() => expect(loaded.some((path) => path.startsWith(picture.objectPath))).toBe(true));
});

story('into the group of a stranger one comes by accepting, and the members see who is invited', async () => {
  const [ada, ben] = await Promise.all([newcomer(url(), 'Ada Adams'), newcomer(url(), 'Ben Botha')]);
  const group = await groupOf(ada, 'Sunday hikers', [ben]);
  await say(ada, group.id, 'for members alone');
  const [adas, bens] = await Promise.all([
    visit({ as: ada.user, path: `/group-chat/${group.id}` }),
    visit({ as: ben.user, device: 'phone', path: '/' }),
  ]);
  const requests = new RequestsPage(bens.page);
  const desk = new GroupPage(adas.page, 'Sunday hikers');
  await desk.openDetails();
  await see(requests.oneWaits, desk.invited.getByText(ben.name));
  await gone(new ChatsPage(bens.page).row('Sunday hikers'));
  await requests.way.click();
  const invitation = requests.invitation('Sunday hikers');
  await see(invitation.getByText(words(enRequests.group.text_one, { name: ada.name, count: 1 })));
  expect(await axeIssues(bens.page, 'an invitation', 'light')).toEqual([]);
  await invitation.getByRole('button', { name: enRequests.accept }).click();
  await see(new GroupPage(bens.page, 'Sunday hikers').composer, desk.member(ben.name));
  await gone(desk.invited, bens.page.getByText('for members alone'));
});
