import { uploadPicture } from '../support/authorization/authorizationCast.ts';
import { requireSuccess } from '../support/clients/requireSuccess.ts';
import { CallPage } from './pages/CallPage.ts';
import { ChatsPage } from './pages/ChatsPage.ts';
import { ConversationPage } from './pages/ConversationPage.ts';
import { GroupPage } from './pages/GroupPage.ts';
import { MessageRequestsPage } from './pages/MessageRequestsPage.ts';
import { Toasts } from './pages/Toasts.ts';
import { findAxeIssues } from './support/accessibility.ts';
import { doBoxesOverlap } from './support/boxes.ts';
import { createCastMember, sendMessage } from './support/cast.ts';
import { createGroupWith } from './support/groups.ts';
import { setUpJourney } from './support/journey.ts';
import { waitUntilStill, waitUntilHidden, waitUntilVisible, waitForExpectation } from './support/waitFor.ts';
import { enRequests, fillPlaceholders } from './support/words.ts';

const { story, openPage, url } = setUpJourney();

story('a stranger’s messages load nothing and notify nobody until the stranger is accepted', async () => {
  const [ada, ben] = await Promise.all([createCastMember(url(), 'Ada Adams'), createCastMember(url(), 'Ben Botha')]);
  const picture = requireSuccess(
    await ada.user.api.put('/api/profile/image', { profileImageURL: await uploadPicture(ada.user) }),
    'The picture',
  ).body as { objectPath: string };
  const made = requireSuccess(
    await ada.user.api.post('/api/conversations', { otherUserId: ben.user.id }),
    'The conversation',
  );
  const { id } = made.body as { id: string };
  await sendMessage(ada, id, 'Hello, see https://example.org/flat');

  const [adas, bens] = await Promise.all([
    openPage({ as: ada.user, path: `/chat/${id}` }),
    openPage({ as: ben.user, device: 'phone' }),
  ]);
  const loaded: string[] = [];
  bens.page.on('request', (request) => void loaded.push(new URL(request.url()).pathname));
  await bens.go('/');
  const requests = new MessageRequestsPage(bens.page);
  await waitUntilVisible(requests.oneWaits);
  await waitUntilHidden(new ChatsPage(bens.page).row(ada.name));
  expect(await bens.page.title()).not.toContain('(1)');
  await requests.open(ada.name);
  await waitUntilVisible(
    requests.message(ada.name, 'https://example.org/flat'),
    bens.page.getByText(fillPlaceholders(enRequests.unseen, { name: ada.name })),
  );
  expect(await requests.message(ada.name, 'Hello').getByRole('link').count()).toBe(0);
  expect(await findAxeIssues(bens.page, 'a request', 'light')).toEqual([]);
  const desktop = new ConversationPage(adas.page, ben.name);
  await waitUntilVisible(desktop.deliveryIcon('Hello', 'sent'));
  expect(loaded.filter((path) => path.startsWith('/objects/'))).toEqual([]);

  // A call from a stranger does not ring before the request is accepted, and rings afterwards.
  const [caller, callee] = [new CallPage(adas.page, ben.name), new CallPage(bens.page, ada.name)];
  await caller.voiceCall.click();
  await waitUntilVisible(caller.ringing);
  await waitUntilHidden(callee.incoming);
  await caller.end.click();

  // Errors are shown next to the answers and do not cover them, on the smallest phones as well.
  await bens.page.setViewportSize({ width: 320, height: 568 });
  const setting = ({ pathname }: URL) => pathname.startsWith(`/api/conversations/${id}`);
  await bens.page.route(setting, (route) => route.abort());
  await requests.accept.click();
  const toasts = new Toasts(bens.page);
  await toasts.expectShown(enRequests.acceptFailed);
  await waitUntilStill(bens.page);
  expect(await doBoxesOverlap(toasts.shown, requests.bar)).toBe(false);
  await bens.page.unroute(setting);

  await requests.accept.click();
  await caller.voiceCall.click();
  await callee.answer('decline').click();
  await waitUntilHidden(caller.screen);
  const phone = new ConversationPage(bens.page, ada.name);
  await waitUntilVisible(phone.message('Hello').getByRole('link'), desktop.deliveryIcon('Hello', 'read'));
  await waitForExpectation(() => expect(loaded.some((path) => path.startsWith(picture.objectPath))).toBe(true));
});

story('joining a stranger’s group takes accepting, and its members see who is invited', async () => {
  const [ada, ben] = await Promise.all([createCastMember(url(), 'Ada Adams'), createCastMember(url(), 'Ben Botha')]);
  const group = await createGroupWith(ada, 'Sunday hikers', [ben]);
  await sendMessage(ada, group.id, 'for members alone');
  const [adas, bens] = await Promise.all([
    openPage({ as: ada.user, path: `/group-chat/${group.id}` }),
    openPage({ as: ben.user, device: 'phone', path: '/' }),
  ]);
  const requests = new MessageRequestsPage(bens.page);
  const desktop = new GroupPage(adas.page, 'Sunday hikers');
  await desktop.openDetails();
  await waitUntilVisible(requests.oneWaits, desktop.invited.getByText(ben.name));
  await waitUntilHidden(new ChatsPage(bens.page).row('Sunday hikers'));
  await requests.way.click();
  const invitation = requests.invitation('Sunday hikers');
  await waitUntilVisible(
    invitation.getByText(fillPlaceholders(enRequests.group.text_one, { name: ada.name, count: 1 })),
  );
  expect(await findAxeIssues(bens.page, 'an invitation', 'light')).toEqual([]);
  await invitation.getByRole('button', { name: enRequests.accept }).click();
  await waitUntilVisible(new GroupPage(bens.page, 'Sunday hikers').composer, desktop.member(ben.name));
  await waitUntilHidden(desktop.invited, bens.page.getByText('for members alone'));
});
