import { GroupPage } from './pages/GroupPage.ts';
import { MeetingRoomPage } from './pages/MeetingRoomPage.ts';
import { createGroupWith, renderSystemMessage, createThreePeople } from './support/groups.ts';
import { setUpJourney, getUrlWithoutServiceWorker } from './support/journey.ts';
import { waitUntilAllMoving } from './support/motion.ts';
import { waitForPath, waitUntilVisible } from './support/waitFor.ts';
import { enGroupCalls, fillPlaceholders } from './support/words.ts';

const { story, openPage, url } = setUpJourney(getUrlWithoutServiceWorker);

story('a group call: one press starts it, it rings for the others, and one press answers it', async () => {
  const { ada, ben, cleo } = await createThreePeople(url());
  const group = await createGroupWith(ada, 'Sunday hikers', [ben, cleo]);
  await Promise.all([ben, cleo].map(({ user }) => user.api.put('/api/profile/privacy', { callsFrom: 'everyone' })));
  const path = `/group-chat/${group.id}`;
  const adas = await openPage({ as: ada.user, path });
  const bens = await openPage({ as: ben.user, device: 'phone', path });
  const cleos = await openPage({ as: cleo.user, path: '/' });
  const [adasGroup, bensGroup, cleosGroup] = [adas, bens, cleos].map(
    ({ page }) => new GroupPage(page, 'Sunday hikers'),
  );

  await adasGroup!.startVideo.click();
  await waitForPath(adas.page, /^\/meeting\/[2-9A-Z]{6}$/);
  const adasRoom = new MeetingRoomPage(adas.page);
  await waitUntilVisible(adasRoom.room);
  await waitUntilVisible(cleosGroup!.ringing);
  await cleosGroup!.answer('decline').click();
  await bensGroup!.answer('answerVideo').click();
  const bensRoom = new MeetingRoomPage(bens.page);
  await waitUntilAllMoving(adasRoom.video(ben.name), bensRoom.video(ada.name));
  await bensRoom.leave.click();
  await waitForPath(bens.page, '/');

  // The group shows that a call is in progress and who is in it, next to the button to join.
  await bens.go(path);
  await waitUntilVisible(bensGroup!.joinVideo);
  await waitUntilVisible(bensGroup!.systemMessage(renderSystemMessage('group_call', 'other', { actor: ada.name })));
  await bensGroup!.whoIsInCall.click();
  const dialog = bensGroup!.dialog(enGroupCalls.title);
  await waitUntilVisible(dialog.getByText(fillPlaceholders(enGroupCalls.people_one, { count: 1 })));
  await waitUntilVisible(dialog.getByText(ada.name));
  await bens.page.keyboard.press('Escape');
  await bensGroup!.joinCall.click();
  await waitUntilVisible(bensRoom.room);
});
