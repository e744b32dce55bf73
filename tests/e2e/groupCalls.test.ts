import { GroupPage } from './pages/GroupPage.ts';
import { MeetingRoomPage } from './pages/MeetingRoomPage.ts';
import { groupOf, noteWords, threePeople } from './support/groups.ts';
import { journey, withoutWorker } from './support/journey.ts';
import { allMove } from './support/motion.ts';
import { at, see } from './support/see.ts';
import { enGroups, words } from './support/words.ts';

const { story, visit, url } = journey(withoutWorker);

story('a call in a group: one press starts it, it rings for the others, and one press answers it', async () => {
  const { ada, ben, cleo } = await threePeople(url());
  const group = await groupOf(ada, 'Sunday hikers', [ben, cleo]);
  await Promise.all([ben, cleo].map(({ user }) => user.api.put('/api/profile/privacy', { callsFrom: 'everyone' })));
  const path = `/group-chat/${group.id}`;
  const adas = await visit({ as: ada.user, path });
  const bens = await visit({ as: ben.user, device: 'phone', path });
  const cleos = await visit({ as: cleo.user, path: '/' });
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
  await allMove(adasRoom.video(ben.name), bensRoom.video(ada.name));
  await bensRoom.leave.click();
  await at(bens.page, '/');

  // The group shows that a call is in progress and who is in it, next to the button to join.
  await bens.go(path);
  await see(bensGroup!.joinVideo);
  await see(bensGroup!.note(noteWords('group_call', 'other', { actor: ada.name })));
  await bensGroup!.whoIsInCall.click();
  const dialog = bensGroup!.dialog(enGroups.call.title);
  await see(dialog.getByText(words(enGroups.call.people_one, { count: 1 })));
  await see(dialog.getByText(ada.name));
  await bens.page.keyboard.press('Escape');
  await bensGroup!.joinCall.click();
  await see(bensRoom.room);
});
