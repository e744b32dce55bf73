import { CallPage } from './pages/CallPage.ts';
import { MeetingRoomPage } from './pages/MeetingRoomPage.ts';
import { MeetingsPage } from './pages/MeetingsPage.ts';
import { seriousIssues } from './support/accessibility.ts';
import { breakDevices, setTrouble } from './support/brokenDevices.ts';
import { friends, newcomer } from './support/cast.ts';
import { journey, withoutWorker } from './support/journey.ts';
import { moves } from './support/motion.ts';
import { gone, see } from './support/see.ts';
import { enCalls, enMeeting } from './support/words.ts';

const { story, visit, url } = journey(withoutWorker);
const { problem } = enMeeting;

story('at the door a refused, a missing and a busy device each say so, and one comes in without', async () => {
  const [ada, ben] = await Promise.all([newcomer(url(), 'Ada Adams'), newcomer(url(), 'Ben Botha')]);
  const adas = await visit({ as: ada.user, path: '/meetings' });
  const code = await new MeetingsPage(adas.page).create('Without devices');
  const host = new MeetingRoomPage(adas.page);
  await host.enter();

  const { context, page, go } = await visit({ as: ben.user });
  const door = new MeetingRoomPage(page);
  const trouble = page.getByRole('alert');
  const press = (name: string) => trouble.getByRole('button', { name, exact: true }).click();
  await breakDevices(context, 'NotAllowedError');
  await go(`/meeting/${code}`);
  await see(trouble.getByRole('heading', { name: problem.deniedBoth }), trouble.getByText(problem.deniedText));
  expect(await seriousIssues(page, 'a refused device', 'light')).toEqual([]);

  await setTrouble(page, 'NotFoundError');
  await press(problem.again);
  await see(trouble.getByRole('heading', { name: problem.missingBoth }), trouble.getByText(problem.missingText));

  await setTrouble(page, 'NotReadableError');
  await press(problem.again);
  await see(trouble.getByRole('heading', { name: problem.busyBoth }), trouble.getByText(problem.busyText));

  // On without them: he sees her, and she sees that he is there.
  await press(problem.without);
  await gone(trouble);
  await see(page.getByText(enMeeting.ready.cameraOff));
  await door.joinNow.click();
  await see(door.room, host.tile(ben.name), host.mutedMark(ben.name));
  await moves(door.video(ada.name));

  // In the room the camera is still busy, which is said; once it is free it works.
  await door.control('cameraOn').click();
  await see(page.getByText(problem.busyCamera), page.getByText(problem.busyInside), door.control('cameraOn'));
  // Refused is another thing, in the specification's words.
  await setTrouble(page, 'NotAllowedError');
  await door.control('cameraOn').click();
  await see(page.getByText(enMeeting.errors.media.text), door.control('cameraOn'));
  await setTrouble(page, null);
  await door.control('cameraOn').click();
  await moves(host.video(ben.name));
});

story('in a call a refused, a missing and a busy device each say so, and the call goes on without', async () => {
  const { ada, ben, id } = await friends(url());
  const adas = await visit({ as: ada.user, path: `/chat/${id}` });
  const { context, page, go } = await visit({ as: ben.user });
  await breakDevices(context, 'NotAllowedError');
  await go(`/chat/${id}`);
  const [caller, callee] = [new CallPage(adas.page, ben.name), new CallPage(page, ada.name)];
  await see(caller.videoCall, callee.videoCall);
  await caller.videoCall.click();
  await callee.answer('answerVideo').click();
  await see(page.getByText(enCalls.errorText));
  // He sees her, and both know that he is not heard.
  await moves(callee.large);
  await see(callee.microphoneOn, callee.cameraOn, caller.peerMuted);

  await setTrouble(page, 'NotFoundError');
  await callee.cameraOn.click();
  await see(page.getByText(enCalls.noCamera));
  await callee.microphoneOn.click();
  await see(page.getByText(enCalls.noMicrophone));

  await setTrouble(page, 'NotReadableError');
  await callee.cameraOn.click();
  await see(page.getByText(enCalls.deviceBusy), callee.cameraOn);

  await setTrouble(page, null);
  await callee.cameraOn.click();
  await moves(caller.large);
});
