import { GroupPage } from './pages/GroupPage.ts';
import { MeetingRoomPage } from './pages/MeetingRoomPage.ts';
import { createGroupWith, systemMessageWords, createThreePeople } from './support/groups.ts';
import { journey, sharedUrlWithoutWorker } from './support/journey.ts';
import { waitUntilAllMoving } from './support/motion.ts';
import { at, see } from './support/see.ts';
import { enGroups, fillPlaceholders } from './support/words.ts';

const { story, openPage, url } = journey(sharedUrlWithoutWorker);

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
  await at(adas.page, /^\/meeting\/[2-9A-Z]{6}$/);
  const adasRoom = new MeetingRoomPage(adas.page);
  await see(adasRoom.room);
  await see(cleosGroup!.ringing);
  await cleosGroup!.answer('decline').click();
  await bensGroup!.answer('answerVideo').click();
  const bensRoom = new MeetingRoomPage(bens.page);
  await waitUntilAllMoving(adasRoom.video(ben.name), bensRoom.video(ada.name));
  await bensRoom.leave.click();
  await at(bens.page, '/');

  // The group shows that a call is in progress and who is in it, next to the button to join.
  await bens.go(path);
  await see(bensGroup!.joinVideo);
  await see(bensGroup!.systemMessage(systemMessageWords('group_call', 'other', { actor: ada.name })));
  await bensGroup!.whoIsInCall.click();
  const dialog = bensGroup!.dialog(enGroups.call.title);
  await see(dialog.getByText(fillPlaceholders(enGroups.call.people_one, { count: 1 })));
  await see(dialog.getByText(ada.name));
  await bens.page.keyboard.press('Escape');
  await bensGroup!.joinCall.click();
  await see(bensRoom.room);
});
