import { GroupPage } from './pages/GroupPage.ts';
import { MeetingRoomPage } from './pages/MeetingRoomPage.ts';
import { groupOf, noteWords, threePeople } from './support/groups.ts';
import { journey, withoutWorker } from './support/journey.ts';
import { allMove } from './support/motion.ts';
import { at, see, soon } from './support/see.ts';
import { enGroups, words } from './support/words.ts';

const { story, visit, url } = journey(withoutWorker);

story('a video call in a group: one starts it, the others see who is there and come in', async () => {
  const { ada, ben, cleo } = await threePeople(url());
  const group = await groupOf(ada, 'Sunday hikers', [ben, cleo]);
  const path = `/group-chat/${group.id}`;
  const adas = await visit({ as: ada.user, path });
  const bens = await visit({ as: ben.user, device: 'phone', path });
  const [adasGroup, bensGroup] = [new GroupPage(adas.page, 'Sunday hikers'), new GroupPage(bens.page, 'Sunday hikers')];

  // Seven places, all of them free.
  await adasGroup.joinVideo.click();
  const places = adasGroup.dialog(enGroups.call.title).getByRole('list', { name: enGroups.call.places });
  await see(adas.page.getByText(enGroups.call.nobody));
  expect(await places.getByRole('listitem').count()).toBe(7);
  await soon(async () => expect(await places.getByText(enGroups.call.freePlace).count()).toBe(7));
  await adasGroup.dialog(enGroups.call.title).getByRole('button', { name: enGroups.call.start }).click();
  await at(adas.page, /^\/meeting\/[2-9A-Z]{6}$/);
  const adasRoom = new MeetingRoomPage(adas.page);
  await adasRoom.enter();

  // The group says that it began, and the way in is beside that.
  await see(bensGroup.note(noteWords('group_call', 'other', { actor: ada.name })));
  await bensGroup.joinCall.click();
  const join = bensGroup.dialog(enGroups.call.title).getByRole('button', { name: enGroups.call.join });
  await see(join);
  await join.click();
  const bensRoom = new MeetingRoomPage(bens.page);
  await bensRoom.enter();
  await allMove(adasRoom.video(ben.name), bensRoom.video(ada.name));
  await bensRoom.leave.click();
  await at(bens.page, '/');

  // Who has been inside sees who is there now.
  await bens.go(path);
  await bensGroup.joinVideo.click();
  await see(bens.page.getByText(words(enGroups.call.people_one, { count: 1 })));
  await see(bensGroup.dialog(enGroups.call.title).getByText(ada.name));
});
