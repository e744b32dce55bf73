import { MeetingRoomPage } from './pages/MeetingRoomPage.ts';
import { findSeriousAxeIssues } from './support/accessibility.ts';
import { breakDevices, setDeviceTrouble } from './support/brokenDevices.ts';
import { createCastMember } from './support/cast.ts';
import { setUpJourney, getUrlWithoutServiceWorker } from './support/journey.ts';
import { waitUntilMoving } from './support/motion.ts';
import { waitUntilHidden, waitUntilVisible } from './support/waitFor.ts';
import { enMeeting } from './support/words.ts';

const { story, openPage, url } = setUpJourney(getUrlWithoutServiceWorker);
const { problem } = enMeeting;

story('a denied, a missing and a busy device are each reported, and joining works without them', async () => {
  const ben = await createCastMember(url(), 'Ben Botha');
  const made = await ben.user.api.post<{ roomCode: string }>('/api/meetings/create', { name: 'Without devices' });
  const { context, page, go } = await openPage({ as: ben.user });
  const roomPage = new MeetingRoomPage(page);
  const trouble = page.getByRole('alert');
  const press = (name: string) => trouble.getByRole('button', { name, exact: true }).click();
  await breakDevices(context, 'NotAllowedError');
  await go(`/meeting/${made.body.roomCode}`);
  await waitUntilVisible(
    trouble.getByRole('heading', { name: problem.deniedBoth }),
    trouble.getByText(problem.deniedText),
  );
  expect(await findSeriousAxeIssues(page, 'a refused device', 'light')).toEqual([]);

  await setDeviceTrouble(page, 'NotFoundError');
  await press(problem.again);
  await waitUntilVisible(
    trouble.getByRole('heading', { name: problem.missingBoth }),
    trouble.getByText(problem.missingText),
  );

  await setDeviceTrouble(page, 'NotReadableError');
  await press(problem.again);
  await waitUntilVisible(trouble.getByRole('heading', { name: problem.busyBoth }), trouble.getByText(problem.busyText));

  // Continues without the devices, and the page shows that.
  await press(problem.without);
  await waitUntilHidden(trouble);
  await waitUntilVisible(page.getByText(enMeeting.ready.cameraOff));
  await roomPage.joinNow.click();
  await waitUntilVisible(roomPage.room, roomPage.tile(ben.name), roomPage.control('microphoneOn'));

  // The camera is still busy in the room, and the page says so. Once it is free, it works.
  await roomPage.control('cameraOn').click();
  await waitUntilVisible(
    page.getByText(problem.busyCamera),
    page.getByText(problem.busyInside),
    roomPage.control('cameraOn'),
  );
  // A refusal is a different error, named as in the specification.
  await setDeviceTrouble(page, 'NotAllowedError');
  await roomPage.control('cameraOn').click();
  await waitUntilVisible(page.getByText(enMeeting.errors.media.text), roomPage.control('cameraOn'));
  await setDeviceTrouble(page, null);
  await roomPage.control('cameraOn').click();
  await waitUntilMoving(roomPage.video(ben.name));
});
