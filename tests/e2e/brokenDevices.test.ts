import { MeetingRoomPage } from './pages/MeetingRoomPage.ts';
import { seriousIssues } from './support/accessibility.ts';
import { breakDevices, setTrouble } from './support/brokenDevices.ts';
import { newcomer } from './support/cast.ts';
import { journey, withoutWorker } from './support/journey.ts';
import { moves } from './support/motion.ts';
import { gone, see } from './support/see.ts';
import { enMeeting } from './support/words.ts';

const { story, visit, url } = journey(withoutWorker);
const { problem } = enMeeting;

story('a refused, a missing and a busy device each say so, and one comes in without', async () => {
  const ben = await newcomer(url(), 'Ben Botha');
  const made = await ben.user.api.post<{ roomCode: string }>('/api/meetings/create', { name: 'Without devices' });
  const { context, page, go } = await visit({ as: ben.user });
  const door = new MeetingRoomPage(page);
  const trouble = page.getByRole('alert');
  const press = (name: string) => trouble.getByRole('button', { name, exact: true }).click();
  await breakDevices(context, 'NotAllowedError');
  await go(`/meeting/${made.body.roomCode}`);
  await see(trouble.getByRole('heading', { name: problem.deniedBoth }), trouble.getByText(problem.deniedText));
  expect(await seriousIssues(page, 'a refused device', 'light')).toEqual([]);

  await setTrouble(page, 'NotFoundError');
  await press(problem.again);
  await see(trouble.getByRole('heading', { name: problem.missingBoth }), trouble.getByText(problem.missingText));

  await setTrouble(page, 'NotReadableError');
  await press(problem.again);
  await see(trouble.getByRole('heading', { name: problem.busyBoth }), trouble.getByText(problem.busyText));

  // Continues without the devices, and the page shows that.
  await press(problem.without);
  await gone(trouble);
  await see(page.getByText(enMeeting.ready.cameraOff));
  await door.joinNow.click();
  await see(door.room, door.tile(ben.name), door.control('microphoneOn'));

  // The camera is still busy in the room, and the page says so. Once it is free, it works.
  await door.control('cameraOn').click();
  await see(page.getByText(problem.busyCamera), page.getByText(problem.busyInside), door.control('cameraOn'));
  // A refusal is a different error, named as in the specification.
  await setTrouble(page, 'NotAllowedError');
  await door.control('cameraOn').click();
  await see(page.getByText(enMeeting.errors.media.text), door.control('cameraOn'));
  await setTrouble(page, null);
  await door.control('cameraOn').click();
  await moves(door.video(ben.name));
});
