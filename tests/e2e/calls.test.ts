import { CallPage } from './pages/CallPage.ts';
import { ConversationPage } from './pages/ConversationPage.ts';
import { findSeriousAxeIssues } from './support/accessibility.ts';
import { doBoxesOverlap } from './support/boxes.ts';
import { befriend, createFriends, createCastMember } from './support/cast.ts';
import { readDirectPath, watchDirectPaths } from './support/directPath.ts';
import { setUpJourney } from './support/journey.ts';
import { waitUntilAllMoving, waitUntilMoving } from './support/motion.ts';
import {
  waitForPath,
  waitUntilStill,
  waitUntilHidden,
  waitUntilVisible,
  waitForExpectation,
} from './support/waitFor.ts';
import { enCall, enCalls, fillPlaceholders } from './support/words.ts';

const { story, openPage, url } = setUpJourney();

/** Two friends, each in their conversation: one on a desktop, one with a phone. */
async function atTheirChat() {
  const { ada, ben, id } = await createFriends(url());
  const [adas, bens] = await Promise.all([openPage({ as: ada.user }), openPage({ as: ben.user, device: 'phone' })]);
  for (const { context, go } of [adas, bens]) {
    await watchDirectPaths(context);
    await go(`/chat/${id}`);
  }
  const [caller, callee] = [new CallPage(adas.page, ben.name), new CallPage(bens.page, ada.name)];
  const [adasChat, bensChat] = [new ConversationPage(adas.page, ben.name), new ConversationPage(bens.page, ada.name)];
  await waitUntilVisible(caller.videoCall, callee.videoCall);
  return { ada, ben, id, adas, bens, caller, callee, adasChat, bensChat };
}

story('a video call rings, connects directly, and moves to the server once a third person is called', async () => {
  const { ada, ben, id, adas, bens, caller, callee, adasChat } = await atTheirChat();
  const cleo = await createCastMember(url(), 'Cleo Cele');
  await befriend(ada, cleo);
  await caller.videoCall.click();
  await waitUntilVisible(caller.ringing, callee.incoming, callee.incoming.getByText(enCalls.incomingVideo));
  const issues = await findSeriousAxeIssues(bens.page, 'incoming call', 'light');
  issues.push(...(await findSeriousAxeIssues(adas.page, 'outgoing call', 'light')));
  expect(issues).toEqual([]);

  await callee.answer('answerVideo').click();
  await waitForPath(bens.page, /^\/meeting\/call-/);
  await waitUntilAllMoving(caller.large, callee.large);
  await caller.openDetails();
  await waitUntilVisible(caller.path('pathDirect'));
  await adas.page.keyboard.press('Escape');

  // The phone changes its network: the connection finds a new path, and the video continues.
  const pathsNow = async () => await Promise.all([adas, bens].map(async ({ page }) => await readDirectPath(page)));
  const before = await pathsNow();
  await bens.page.evaluate("dispatchEvent(new Event('online'))");
  await waitForExpectation(async () => {
    for (const [index, { state, usernameFragment }] of (await pathsNow()).entries()) {
      expect(state).toBe('connected');
      expect(usernameFragment).not.toBe(before[index]?.usernameFragment);
    }
  });
  await waitUntilAllMoving(caller.large, callee.large);
  await callee.microphoneOff.click();
  await waitUntilVisible(caller.peerMuted);
  await callee.microphoneOn.click();

  const cleos = await openPage({ as: cleo.user, path: '/', device: 'phone' });
  const third = new CallPage(cleos.page, ada.name);
  await caller.add(cleo.name);
  await waitUntilVisible(caller.screen.getByText(fillPlaceholders(enCalls.addRinging, { name: cleo.name })));
  await third.answer('answerVideo').click();
  await waitUntilAllMoving(
    caller.tile(ben.name).getByTestId('video'),
    caller.tile(cleo.name).getByTestId('video'),
    callee.tile(ada.name).getByTestId('video'),
    callee.tile(cleo.name).getByTestId('video'),
    third.tile(ada.name).getByTestId('video'),
    third.tile(ben.name).getByTestId('video'),
  );
  await caller.openDetails();
  await waitUntilVisible(caller.path('pathRoom'));
  await adas.page.keyboard.press('Escape');

  // The caller hangs up; the other two continue.
  await caller.end.click();
  await waitForPath(adas.page, `/chat/${id}`);
  await waitUntilAllMoving(callee.large, third.large);
  await third.end.click();
  await waitUntilVisible(callee.disconnected);
  await waitForPath(bens.page, `/chat/${id}`);
  await waitUntilVisible(adasChat.feed.getByText(new RegExp(`^${enCall.video}, \\d+:\\d\\d$`)));
});

story('one call is declined, one is missed, and one becomes a video call, all through the server', async () => {
  const { ada, id, adas, bens, caller, callee, adasChat, bensChat } = await atTheirChat();
  await caller.voiceCall.click();
  await callee.answer('decline').click();
  await waitUntilVisible(adas.page.getByText(enCalls.declined));
  await waitUntilHidden(callee.incoming);
  await adas.page.getByRole('button', { name: enCalls.message }).click();
  await waitForPath(adas.page, `/chat/${id}`);
  await waitUntilVisible(bensChat.feed.getByText(enCall.declined));

  // The caller gives up before the answer, from outside the conversation.
  await caller.videoCall.click();
  await waitUntilVisible(callee.incoming);
  await adas.page.goBack();
  await waitUntilVisible(caller.pill);
  await waitUntilStill(adas.page);
  expect(await doBoxesOverlap(caller.pill, adas.page.getByRole('main'))).toBe(false);
  await caller.pill.getByRole('button', { name: enCalls.end }).click();
  await waitUntilHidden(callee.incoming);
  await waitUntilVisible(bensChat.feed.getByText(enCall.missedVideo), adasChat.feed.getByText(enCall.noAnswerVideo));

  // A user can choose that nothing goes directly between the two.
  const reply = await ada.user.api.put('/api/profile/privacy', { relayCalls: true });
  expect(reply.status).toBeLessThan(300);
  await caller.voiceCall.click();
  await callee.answer('answer').click();
  await waitUntilVisible(caller.screen.getByText(/^0:0\d$/), callee.screen.getByText(/^0:0\d$/));
  expect(await caller.videos.count()).toBe(0);
  expect(await findSeriousAxeIssues(adas.page, 'voice call', 'light')).toEqual([]);
  await callee.cameraOn.click();
  await waitUntilMoving(caller.large);
  await caller.cameraOn.click();
  await waitUntilMoving(callee.large);
  await waitForExpectation(async () => {
    await caller.openDetails();
    await waitUntilVisible(caller.path('pathRoom'));
  });
  await adas.page.keyboard.press('Escape');
  await caller.end.click();
  await waitUntilVisible(callee.disconnected);

  const listed = bens.page.getByRole('list', { name: enCalls.listTitle }).getByRole('listitem');
  await bens.go('/calls');
  await waitUntilVisible(listed.filter({ hasText: ada.name }).getByText(enCall.missedVideo));
});
