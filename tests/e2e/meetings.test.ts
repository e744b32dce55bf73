import { MeetingRoomPage } from './pages/MeetingRoomPage.ts';
import { MeetingsPage } from './pages/MeetingsPage.ts';
import { createCastMember } from './support/cast.ts';
import { setUpJourney, getUrlWithoutServiceWorker } from './support/journey.ts';
import { waitUntilAllMoving, waitUntilMoving } from './support/motion.ts';
import { waitForPath, waitUntilHidden, waitUntilVisible } from './support/waitFor.ts';
import { enMeeting } from './support/words.ts';

const { story, openPage, url } = setUpJourney(getUrlWithoutServiceWorker);

story('three people meet: by the button, by the code, and on a phone by the link', async () => {
  const [ada, ben, cleo] = await Promise.all([
    createCastMember(url(), 'Ada Adams'),
    createCastMember(url(), 'Ben Botha'),
    createCastMember(url(), 'Cleo Cele'),
  ]);
  const adas = await openPage({ as: ada.user, path: '/meetings' });
  const adasRoom = new MeetingRoomPage(adas.page);
  const code = await new MeetingsPage(adas.page).create('Plans for June');
  await waitUntilVisible(adasRoom.ready);
  await waitUntilMoving(adasRoom.preview);
  // Blur is offered only with a model.
  await waitUntilHidden(adas.page.getByRole('switch', { name: enMeeting.ready.backgroundBlur }));
  await adasRoom.enter();
  await waitUntilVisible(adas.page.getByText(enMeeting.room.alone));

  // Ben got the code, mistypes it once, and joins.
  const bens = await openPage({ as: ben.user, path: '/meetings' });
  const bensMeetings = new MeetingsPage(bens.page);
  await bensMeetings.join('ZZZZZ2');
  await bensMeetings.seeNotFound();
  await bensMeetings.code.fill(code);
  await bensMeetings.code.press('Enter');
  await waitForPath(bens.page, `/meeting/${code}`);
  const bensRoom = new MeetingRoomPage(bens.page);
  await bensRoom.enter();
  await waitUntilAllMoving(adasRoom.video('Ben Botha'), bensRoom.video('Ada Adams'));

  // Cleo has the link, on her phone.
  const cleos = await openPage({ as: cleo.user, device: 'phone', colorScheme: 'dark', path: `/meeting/${code}` });
  const cleosRoom = new MeetingRoomPage(cleos.page);
  await cleosRoom.enter();
  await waitUntilAllMoving(
    adasRoom.video('Cleo Cele'),
    bensRoom.video('Cleo Cele'),
    cleosRoom.video('Ada Adams'),
    cleosRoom.video('Ben Botha'),
  );
  expect(await cleos.page.evaluate('document.documentElement.scrollWidth')).toBe(390);

  // Changes by one participant are visible to the others.
  await bensRoom.control('microphoneOff').click();
  await waitUntilVisible(adasRoom.mutedIcon('Ben Botha'), cleosRoom.mutedIcon('Ben Botha'));
  await waitUntilHidden(adasRoom.mutedIcon('Cleo Cele'));
  await bensRoom.control('cameraOff').click();
  await waitUntilHidden(adasRoom.video('Ben Botha'), cleosRoom.video('Ben Botha'));
  await cleosRoom.control('hand').click();
  await waitUntilVisible(adasRoom.raisedHandIcon('Cleo Cele'), bensRoom.raisedHandIcon('Cleo Cele'));
  await bensRoom.control('cameraOn').click();
  await bensRoom.control('microphoneOn').click();
  await waitUntilAllMoving(adasRoom.video('Ben Botha'), cleosRoom.video('Ben Botha'));
  await waitUntilHidden(adasRoom.mutedIcon('Ben Botha'));
  await cleosRoom.control('lowerHand').click();
  await waitUntilHidden(adasRoom.raisedHandIcon('Cleo Cele'));

  // Ben reloads the page and stays the same participant to the others, immediately.
  const before = await adasRoom.participantId('Ben Botha');
  await bens.page.reload();
  await waitUntilVisible(bensRoom.room);
  await waitUntilAllMoving(bensRoom.video('Ada Adams'), adasRoom.video('Ben Botha'));
  expect(await adasRoom.participantId('Ben Botha')).toBe(before);
  expect(await adasRoom.tiles.count()).toBe(3);

  // Each leaves to the start page, and the others see them go.
  await cleosRoom.leave.click();
  await waitForPath(cleos.page, '/');
  await waitUntilHidden(adasRoom.tile('Cleo Cele'), bensRoom.tile('Cleo Cele'));
  await bens.page.keyboard.press('l');
  await bensRoom.confirm(enMeeting.room.leave);
  await waitForPath(bens.page, '/');
  await waitUntilHidden(adasRoom.tile('Ben Botha'));
  await adasRoom.leave.click();
  await waitForPath(adas.page, '/');
});
