import { MeetingRoomPage } from './pages/MeetingRoomPage.ts';
import { MeetingsPage } from './pages/MeetingsPage.ts';
import { seriousIssues } from './support/accessibility.ts';
import { newcomer } from './support/cast.ts';
import { journey, withoutWorker } from './support/journey.ts';
import { moves } from './support/motion.ts';
import { gone, see } from './support/see.ts';
import { enMeeting, words } from './support/words.ts';

const { story, visit, url } = journey(withoutWorker);

story(
  'a guest gives a name and waits, an invite link lets in directly, and a co-host decides about those who knock',
  async () => {
    const [ada, ben, cleo] = await Promise.all([
      newcomer(url(), 'Ada Adams'),
      newcomer(url(), 'Ben Botha'),
      newcomer(url(), 'Cleo Cele'),
    ]);
    const hosts = await visit({ as: ada.user, path: '/meetings' });
    const code = await new MeetingsPage(hosts.page).create('Open house', ['waitingRoom', 'allowGuests']);
    const host = new MeetingRoomPage(hosts.page);
    await host.enter();

    // Gus has no account. Without a name nobody would know whom they let in.
    const guests = await visit({ path: `/meeting/${code}`, device: 'phone' });
    const guest = new MeetingRoomPage(guests.page);
    await see(guest.ready, guests.page.getByText(enMeeting.ready.asGuest));
    await guest.askToJoin.click();
    await see(guests.page.getByText(enMeeting.ready.nameRequired));
    expect(await seriousIssues(guests.page, "a guest's door", 'light')).toEqual([]);
    await guest.ownName.fill('Gus Green');
    await guest.knock();
    await see(hosts.page.getByText(words(enMeeting.people.knocks, { name: 'Gus Green' })));
    await host.answer('Gus Green', 'admitNamed');
    await see(guest.room, host.tile(`Gus Green ${enMeeting.room.guest}`));
    await moves(guest.video(ada.name));
    await moves(host.video('Gus Green'));

    // Ben was sent the link with the token, and does not wait.
    const link = await host.inviteLink();
    expect(new URL(link).hash).toMatch(/^#invite=[\w-]{11,}$/);
    const bens = await visit({ as: ben.user, path: `${link.replace('#', '?type=voice#')}` });
    const second = new MeetingRoomPage(bens.page);
    await see(second.joinNow);
    await second.joinNow.click();
    await see(second.room, host.tile(ben.name));
    await moves(second.video(ada.name));
    await gone(second.page.getByText(enMeeting.people.inLobby));

    // Ada makes him a co-host: he lets Cleo in, and mutes Gus.
    await host.decide(ben.name, 'makeCoHost');
    await see(second.tile(`${ben.name} ${enMeeting.room.coHost}`), host.tile(`${ben.name} ${enMeeting.room.coHost}`));
    const cleos = await visit({ as: cleo.user, path: `/meeting/${code}?type=voice` });
    const third = new MeetingRoomPage(cleos.page);
    await third.knock();
    await second.answer(cleo.name, 'admitNamed');
    await see(third.room, host.tile(cleo.name));
    await second.decide('Gus Green', 'mute');
    await see(host.mutedMark('Gus Green'), guest.control('microphoneOn'), guests.page.getByText(enMeeting.asked.muted));

    // Gus loads the page anew and is back without knocking again; when Ada ends it, it is over for him as well.
    await guests.page.reload();
    await see(guest.room, host.tile('Gus Green'));
    await host.choose('endForAll');
    await host.confirm(enMeeting.room.endForAll);
    await see(guest.over('ended'), second.over('ended'), third.over('ended'));
  },
);
