import { enterMeetingBySocket } from '../support/authorization/meetingCast.ts';
import { ConversationPage } from './pages/ConversationPage.ts';
import { MeetingRoomPage } from './pages/MeetingRoomPage.ts';
import { MeetingsPage } from './pages/MeetingsPage.ts';
import { findSeriousAxeIssues } from './support/accessibility.ts';
import { befriend, createCastMember } from './support/cast.ts';
import { setUpJourney } from './support/journey.ts';
import { waitUntilAllMoving } from './support/motion.ts';
import { waitUntilHidden, waitUntilVisible } from './support/waitFor.ts';
import { enMeeting, enMessages, enShare, fillPlaceholders } from './support/words.ts';

const { story, openPage, url } = setUpJourney();

story(
  'a guest waits, an invite link admits directly, and hosts decide about everyone until they end the meeting',
  async () => {
    const [ada, ben, cleo] = await Promise.all([
      createCastMember(url(), 'Ada Adams'),
      createCastMember(url(), 'Ben Botha'),
      createCastMember(url(), 'Cleo Cele'),
    ]);
    const hosts = await openPage({ as: ada.user, path: '/meetings' });
    const code = await new MeetingsPage(hosts.page).create('Open house', ['waitingRoom', 'allowGuests']);
    const host = new MeetingRoomPage(hosts.page);
    await host.enter();

    // Gus has no account. Hosts could not know whom they admit if he had no name.
    const guests = await openPage({ path: `/meeting/${code}`, device: 'phone' });
    const guest = new MeetingRoomPage(guests.page);
    await waitUntilVisible(guest.ready, guests.page.getByText(enMeeting.ready.asGuest));
    await guest.askToJoin.click();
    await waitUntilVisible(guests.page.getByText(enMeeting.ready.nameRequired));
    expect(await findSeriousAxeIssues(guests.page, "a guest's pre-join page", 'light')).toEqual([]);
    await guest.ownName.fill('Gus Green');
    await guest.requestToJoin();
    const gus = `Gus Green ${enMeeting.room.guest}`;
    await waitUntilVisible(hosts.page.getByText(fillPlaceholders(enMeeting.people.waitingInLobby_one, { name: gus })));
    await hosts.page
      .getByRole('button', { name: fillPlaceholders(enMeeting.people.admitNamed, { name: gus }) })
      .click();
    await waitUntilVisible(guest.room, host.tile(gus));
    await waitUntilAllMoving(guest.video(ada.name), host.video('Gus Green'));

    // Cleo, whose screen is not tested here, is rejected.
    const cleos = await cleo.user.connectSocket();
    expect(await enterMeetingBySocket(cleos, code)).toMatchObject({ state: 'waiting' });
    await host.answer(cleo.name, 'denyNamed');
    await cleos.next('meeting_denied');

    // Ada shares the meeting to her chat with Ben; Gus has no chats.
    const chat = await befriend(ada, ben);
    const gusInvites = await guest.openInvite();
    await waitUntilHidden(gusInvites.getByRole('button', { name: enShare.chats }));
    await guests.page.keyboard.press('Escape');
    await (await host.openInvite()).getByRole('button', { name: enShare.chats }).click();
    const chats = hosts.page.getByRole('dialog', { name: enShare.chats });
    await chats.getByRole('checkbox', { name: ben.name }).check();
    await chats.getByRole('button', { name: enMessages.forwardTo.send, exact: true }).click();
    await waitUntilHidden(chats);
    // The message waits for Ben's first key.
    const bens = await openPage({ as: ben.user, path: `/chat/${chat}` });
    await waitUntilVisible(new ConversationPage(bens.page, ada.name).message(code));

    // Ben got the link with the token and does not wait.
    const link = await host.inviteLink();
    expect(new URL(link).hash).toMatch(/^#invite=[\w-]{11,}$/);
    await bens.go(link.replace('#', '?type=voice#'));
    const second = new MeetingRoomPage(bens.page);
    await waitUntilVisible(second.joinNow);
    await second.joinNow.click();
    await waitUntilVisible(second.room, host.tile(ben.name));
    await waitUntilHidden(second.page.getByText(enMeeting.people.inLobby));

    // Ada makes him a co-host, and he sees that; he mutes Gus.
    await host.decide(ben.name, 'makeCoHost');
    await waitUntilVisible(
      second.tile(`${ben.name} ${enMeeting.room.coHost}`),
      host.tile(`${ben.name} ${enMeeting.room.coHost}`),
    );
    await second.decide('Gus Green', 'mute');
    await waitUntilVisible(
      host.mutedIcon('Gus Green'),
      guest.control('microphoneOn'),
      guests.page.getByText(enMeeting.asked.muted),
    );

    // Gus reloads the page and is back without asking to join again, even while the meeting is locked.
    await host.choose('lock');
    await waitUntilVisible(host.locked, second.locked);
    await guests.page.reload();
    await waitUntilVisible(guest.room, host.tile('Gus Green'));
    await host.choose('unlock');
    await waitUntilHidden(host.locked);

    // A removed participant is outside; the end is the same for everyone.
    await host.decide('Gus Green', 'remove');
    await host.confirm(enMeeting.people.remove);
    await waitUntilVisible(guest.over('removed'));
    await waitUntilHidden(host.tile('Gus Green'));
    await host.choose('endForAll');
    await host.confirm(enMeeting.room.endForAll);
    await waitUntilVisible(host.over('ended'), second.over('ended'));
  },
);
