import { launchFirefox, randomPhone, typeAsPeopleDo } from '@nolo/testing';
import { CallPage } from '../e2e/pages/CallPage.ts';
import { ChatsPage } from '../e2e/pages/ChatsPage.ts';
import { ContactsPage } from '../e2e/pages/ContactsPage.ts';
import { ConversationPage } from '../e2e/pages/ConversationPage.ts';
import { LandingPage } from '../e2e/pages/LandingPage.ts';
import { MediaPage } from '../e2e/pages/MediaPage.ts';
import { MeetingRoomPage } from '../e2e/pages/MeetingRoomPage.ts';
import { MeetingsPage } from '../e2e/pages/MeetingsPage.ts';
import { RequestsPage } from '../e2e/pages/RequestsPage.ts';
import { Shell } from '../e2e/pages/Shell.ts';
import { browserStores, installed, keptOnDevice } from '../e2e/support/browserStores.ts';
import { friends, newcomer } from '../e2e/support/cast.ts';
import { framesOf, sealFrames } from '../e2e/support/encodedFrames.ts';
import { installingUrl, journey } from '../e2e/support/journey.ts';
import { aPhotograph } from '../e2e/support/mediaFiles.ts';
import { allMove, slowCamera } from '../e2e/support/motion.ts';
import { ownGateway } from '../e2e/support/ownGateway.ts';
import { at, gone, see, soon } from '../e2e/support/see.ts';
import { en, enCalls, enVoice } from '../e2e/support/words.ts';
import { inEngine } from './support/available.ts';

/** A cold Firefox on a busy machine; whoever has a quiet one waits ten seconds. */
const startMs = 420_000;

inEngine('Firefox', (program) => {
  const engine = { open: () => launchFirefox(program), openMs: startMs, prepare: typeAsPeopleDo };
  const { story, visit, url } = journey(installingUrl, undefined, engine);
  const sealing = ownGateway(() => ({ env: { MEDIA_FRAMES: 'on' } }));
  const chromium = journey(sealing.url, () => slowCamera);

  story('two people sign up by phone, find each other and talk', async () => {
    const [adasPhone, bensPhone] = [randomPhone(), randomPhone()];
    const [ada, ben] = [await visit({ path: '/' }), await visit({ path: '/' })];
    await (await new LandingPage(ada.page).startWithPhone()).signUp(adasPhone, 'Ada', 'Adams');
    await see(new ChatsPage(ada.page).emptyTitle);
    await (await new LandingPage(ben.page).startWithPhone()).signUp(bensPhone, 'Ben', 'Botha');
    await see(new ChatsPage(ben.page).emptyTitle);

    await new Shell(ada.page).link('contacts').click();
    const contacts = new ContactsPage(ada.page);
    await contacts.addContact(bensPhone, 'Ben Botha');
    await contacts.openConversation('Ben Botha');
    await at(ada.page, /^\/chat\//);
    const adas = new ConversationPage(ada.page, 'Ben Botha');
    await adas.say('Hello Ben');
    // Ben does not know her yet.
    const requests = new RequestsPage(ben.page);
    await requests.open('Ada Adams');
    await requests.accept.click();
    const bens = new ConversationPage(ben.page, 'Ada Adams');
    await see(bens.message('Hello Ben'), adas.mark('Hello Ben', 'read'));
    await bens.say('Hello Ada');
    await see(adas.message('Hello Ada'));
    expect([...ada.violations, ...ben.violations]).toEqual([]);
  });

  story('a picture and a voice note arrive', async () => {
    const { ada, ben, id } = await friends(url(), ['Look']);
    const path = `/chat/${id}`;
    const [adas, bens] = [await visit({ as: ada.user, path }), await visit({ as: ben.user, path })];
    const [adasChat, bensChat] = [new MediaPage(adas.page, ben.name), new MediaPage(bens.page, ada.name)];
    await adasChat.give([await aPhotograph('Saddle.jpg', '#1db584')]);
    await adas.page.getByPlaceholder(en.conversation.caption).fill('The saddle');
    await adasChat.sendFiles(1).click();
    await gone(adasChat.tray);
    const picture = bensChat.message('The saddle').getByRole('button', { name: /^Open the picture/ });
    await see(picture);
    await soon(async () => expect(await bensChat.isDrawn(picture)).toBe(true));

    await adasChat.record.click();
    const timer = adasChat.recorder.getByRole('timer', { name: enVoice.recording });
    await soon(async () => expect(await timer.innerText()).toMatch(/^0:0[1-9]/));
    await adasChat.recorder.getByRole('button', { name: enVoice.send }).click();
    await gone(adasChat.recorder);
    await soon(async () => expect(await bensChat.notes().count()).toBe(1));
    expect([...adas.violations, ...bens.violations]).toEqual([]);
  });

  story('without a network the app opens from the device, and what was written leaves once', async () => {
    const { ada, ben, id } = await friends(url(), ['Before']);
    const visitor = await visit({ as: ada.user, path: `/chat/${id}`, installs: true });
    const { page, context } = visitor;
    const conversation = new ConversationPage(page, ben.name);
    await see(conversation.message('Before'));
    await installed(page);
    await keptOnDevice(page, 'Before');
    // Which Firefox asks for with every page, and without a network too.
    const { caches } = await browserStores(page);
    const kept = Object.values(caches).flatMap((addresses) => addresses.map((address) => new URL(address).pathname));
    expect(kept).toContain('/icon-180.png');

    await context.setOffline(true);
    await page.reload();
    await see(conversation.message('Before'), new Shell(page).offlineBanner);
    await conversation.say('Written offline');
    await context.setOffline(false);
    await see(conversation.mark('Written offline', 'sent').or(conversation.mark('Written offline', 'delivered')));
    const reply = await ben.user.api.get<{ content: string }[]>(`/api/conversations/${id}/messages`);
    expect(reply.body.map(({ content }) => content).toSorted()).toEqual(['Before', 'Written offline']);
  });

  story('a video call goes directly, and ends for both', async () => {
    const { ada, ben, id } = await friends(url());
    const path = `/chat/${id}`;
    const [adas, bens] = [await visit({ as: ada.user, path }), await visit({ as: ben.user, path })];
    const [caller, callee] = [new CallPage(adas.page, ben.name), new CallPage(bens.page, ada.name)];
    await see(caller.videoCall, callee.videoCall);
    await caller.videoCall.click();
    await see(callee.incoming.getByText(enCalls.incomingVideo));
    await callee.answer('answerVideo').click();
    await allMove(caller.large, callee.large);
    await caller.end.click();
    await see(callee.disconnected);
    await at(adas.page, path);
  });

  story('two people see each other in a meeting', async () => {
    const [ada, ben] = await Promise.all([newcomer(url(), 'Ada Adams'), newcomer(url(), 'Ben Botha')]);
    const adas = await visit({ as: ada.user, path: '/meetings' });
    const code = await new MeetingsPage(adas.page).create('In Firefox');
    const adasRoom = new MeetingRoomPage(adas.page);
    await adasRoom.enter();
    const bens = await visit({ as: ben.user, path: `/meeting/${code}` });
    const bensRoom = new MeetingRoomPage(bens.page);
    await bensRoom.enter();
    await allMove(adasRoom.video(ben.name), bensRoom.video(ada.name));
    await bensRoom.control('cameraOff').click();
    await gone(adasRoom.video(ben.name));
    await bensRoom.leave.click();
    await gone(adasRoom.tile(ben.name));
  });

  story('what is sealed in Firefox is seen and heard in Chromium, and the other way round', async () => {
    const [ada, ben] = await Promise.all([newcomer(url(), 'Ada Adams'), newcomer(url(), 'Ben Botha')]);
    const key = Array.from({ length: 16 }, (_, index) => index);
    const adas = await visit({ as: ada.user });
    await sealFrames(adas.context, key);
    await adas.go(`${sealing.url()}/meetings`);
    const code = await new MeetingsPage(adas.page).create('Sealed');
    const adasRoom = new MeetingRoomPage(adas.page);
    await adasRoom.enter();
    const bens = await chromium.visit({ as: ben.user });
    await sealFrames(bens.context, key);
    await bens.go(`/meeting/${code}`);
    const bensRoom = new MeetingRoomPage(bens.page);
    await bensRoom.enter();
    await allMove(adasRoom.video(ben.name), bensRoom.video(ada.name));
    await soon(async () => {
      for (const { page } of [adas, bens]) {
        const { sent, received } = (await framesOf(page)) ?? {};
        for (const count of [sent?.audio, sent?.video, received?.audio, received?.video])
          expect(count).toBeGreaterThan(0);
      }
    });
  });
});
