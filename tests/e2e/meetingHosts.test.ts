import { ChatsPage } from './pages/ChatsPage.ts';
import { MeetingRoomPage } from './pages/MeetingRoomPage.ts';
import { MeetingsPage } from './pages/MeetingsPage.ts';
import { seriousIssues } from './support/accessibility.ts';
import { newcomer } from './support/cast.ts';
import { journey } from './support/journey.ts';
import { moves } from './support/motion.ts';
import { gone, see } from './support/see.ts';
import { enMeeting, words } from './support/words.ts';

const { story, visit, url } = journey();

story('a host lets in, turns away, mutes, removes, locks and ends', async () => {
  const [ada, ben, cleo] = await Promise.all([
    newcomer(url(), 'Ada Adams'),
    newcomer(url(), 'Ben Botha'),
    newcomer(url(), 'Cleo Cele'),
  ]);
  const hosts = await visit({ as: ada.user, path: '/meetings' });
  const code = await new MeetingsPage(hosts.page).create('Interviews', ['waitingRoom']);
  const host = new MeetingRoomPage(hosts.page);
  await host.enter();

  // Both knock; one is let in, the other is not.
  const [bens, cleos] = await Promise.all([
    visit({ as: ben.user, path: `/meeting/${code}` }),
    visit({ as: cleo.user, path: `/meeting/${code}` }),
  ]);
  const [first, second] = [new MeetingRoomPage(bens.page), new MeetingRoomPage(cleos.page)];
  await first.knock();
  await second.knock();
  await see(hosts.page.getByText(words(enMeeting.people.knocks, { name: cleo.name })));
  await host.openPeople();
  await host.answer(ben.name, 'admitNamed');
  await see(first.room);
  await host.answer(cleo.name, 'denyNamed');
  await see(second.over('denied'));
  await moves(host.video(ben.name));
  await moves(first.video(ada.name));

  // He is muted, and knows it.
  await host.decide(ben.name, 'mute');
  await see(host.mutedMark(ben.name), first.control('microphoneOn'), bens.page.getByText(enMeeting.asked.muted));

  // Nobody new gets in while the meeting is locked.
  await host.choose('lock');
  await see(host.locked, first.locked);
  await cleos.go(`/meeting/${code}`);
  await see(second.over('locked'));
  await host.choose('unlock');
  await gone(host.locked);

  // Who is removed is outside, and stays there.
  await host.decide(ben.name, 'remove');
  await host.confirm(enMeeting.people.remove);
  await see(first.over('removed'));
  await gone(host.tile(ben.name));
  await bens.page.reload();
  await see(first.over('removed'));

  // The second one is let in after all, and the end is one for everybody.
  await cleos.go(`/meeting/${code}`);
  await second.knock();
  await host.answer(cleo.name, 'admitNamed');
  await see(second.room);
  await moves(second.video(ada.name));
  await host.choose('endForAll');
  await host.confirm(enMeeting.room.endForAll);
  await see(host.over('ended'), second.over('ended'));
  await cleos.go(`/meeting/${code}`);
  await see(second.over('over'));
});

story('they write beside the meeting and show their screen', async () => {
  const [ada, ben] = await Promise.all([newcomer(url(), 'Ada Adams'), newcomer(url(), 'Ben Botha')]);
  const adas = await visit({ as: ada.user, path: '/meetings' });
  const code = await new MeetingsPage(adas.page).create('Working session');
  const bens = await visit({ as: ben.user, path: `/meeting/${code}` });
  const [first, second] = [new MeetingRoomPage(adas.page), new MeetingRoomPage(bens.page)];
  await first.enter();
  await second.enter();

  await adas.page.getByTestId('open-chat').click();
  const composer = first.chat.getByRole('textbox');
  await composer.fill('The agenda is in the folder');
  await composer.press('Enter');
  // He has the chat closed, and sees that there is something.
  await see(bens.page.getByRole('button', { name: new RegExp(words(enMeeting.room.unread_one, { count: 1 })) }));
  await bens.page.getByTestId('open-chat').click();
  await see(second.chat.getByText('The agenda is in the folder'));
  await second.chat.getByRole('textbox').fill('Found it');
  await second.chat.getByRole('textbox').press('Enter');
  await see(first.chat.getByText('Found it'));

  await adas.page.getByRole('button', { name: enMeeting.room.share, exact: true }).click();
  await see(adas.page.getByText(enMeeting.room.ownScreen));
  await moves(second.screen(ada.name), { frames: 2 });
  await adas.page.getByRole('button', { name: enMeeting.room.stopSharing, exact: true }).click();
  await gone(second.screen(ada.name));
  await moves(second.video(ada.name));

  // What was said there is found at the meeting, and not among the conversations.
  await second.leave.click();
  await see(new ChatsPage(bens.page).emptyTitle);
  await bens.go(`/meeting/${code}`);
  await second.enter();
  await bens.page.getByTestId('open-chat').click();
  await see(second.chat.getByText('The agenda is in the folder'));
});

story('no screen of a meeting has a serious issue, in light or in dark colours', async () => {
  const [ada, ben] = await Promise.all([newcomer(url(), 'Ada Adams'), newcomer(url(), 'Ben Botha')]);
  const issues: string[] = [];
  const adas = await visit({ as: ada.user, path: '/meetings' });
  const look = async (screen: string, page = adas.page) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      issues.push(...(await seriousIssues(page, `${screen}, ${colorScheme}`, colorScheme)));
    }
  };
  const meetings = new MeetingsPage(adas.page);
  await see(meetings.heading);
  await look('meetings without any');
  const code = await meetings.create('Quiet room', ['waitingRoom']);
  const room = new MeetingRoomPage(adas.page);
  await see(room.ready);
  // Without pictures, for everything here is drawn without help.
  await adas.page.getByRole('button', { name: enMeeting.room.cameraOff, exact: true }).click();
  await see(adas.page.getByText(enMeeting.ready.cameraOff));
  await look('the door');
  await room.joinNow.click();
  await see(room.room);
  await look('alone in the room');

  const bens = await visit({ as: ben.user, device: 'phone', path: `/meeting/${code}?type=voice` });
  const bensRoom = new MeetingRoomPage(bens.page);
  await bensRoom.knock();
  await look('waiting', bens.page);
  await room.openPeople();
  await see(room.people.getByText(enMeeting.people.inLobby));
  await look('the lobby');
  await room.answer(ben.name, 'admitNamed');
  await see(bensRoom.room);
  await look('the room', bens.page);
  await bensRoom.leave.click();
  await adas.go('/meetings');
  await see(meetings.card('Quiet room'));
  await look('meetings');
  expect(issues).toEqual([]);
});
