import { launchFirefox, randomPhone, typeAsPeopleDo } from '@nolo/testing';
import { CallPage } from '../e2e/pages/CallPage.ts';
import { ChatsPage } from '../e2e/pages/ChatsPage.ts';
import { ContactsPage } from '../e2e/pages/ContactsPage.ts';
import { ConversationPage } from '../e2e/pages/ConversationPage.ts';
import { LandingPage } from '../e2e/pages/LandingPage.ts';
import { MediaConversationPage } from '../e2e/pages/MediaConversationPage.ts';
import { MeetingRoomPage } from '../e2e/pages/MeetingRoomPage.ts';
import { MeetingsPage } from '../e2e/pages/MeetingsPage.ts';
import { MessageRequestsPage } from '../e2e/pages/MessageRequestsPage.ts';
import { Shell } from '../e2e/pages/Shell.ts';
import { readBrowserStores, waitForServiceWorker, waitUntilMessagesStored } from '../e2e/support/browserStores.ts';
import { createFriends, createCastMember } from '../e2e/support/cast.ts';
import { readFrameCounts, encryptFrames } from '../e2e/support/encodedFrames.ts';
import { getFullPrecacheUrl, setUpJourney } from '../e2e/support/journey.ts';
import { deviceOpener, emptyKeys, readSigningKeysScript, type SigningKeys } from '../e2e/support/keys.ts';
import { aPhotograph } from '../e2e/support/mediaFiles.ts';
import { waitUntilAllMoving, slowCameraArguments } from '../e2e/support/motion.ts';
import { startOwnGateway } from '../e2e/support/ownGateway.ts';
import { waitForPath, waitUntilHidden, waitUntilVisible, waitForExpectation } from '../e2e/support/waitFor.ts';
import { en, enCalls, enVoice } from '../e2e/support/words.ts';
import { describeInEngine } from './support/describeInEngine.ts';

/** Timeout for a cold Firefox on a busy machine; on a quiet one it takes ten seconds. */
const startMs = 420_000;

describeInEngine('Firefox', (program) => {
  const engine = { open: () => launchFirefox(program), openMs: startMs, prepare: typeAsPeopleDo };
  const { story, openPage, url } = setUpJourney(getFullPrecacheUrl, undefined, engine);
  const sealing = startOwnGateway(() => ({ env: { MEDIA_FRAMES: 'on' } }));
  const chromium = setUpJourney(sealing.url, () => slowCameraArguments);

  story('two people sign up by phone, talk, send a picture and a voice note, and call', async () => {
    const [adasPhone, bensPhone] = [randomPhone(), randomPhone()];
    const [ada, ben] = [await openPage({ path: '/' }), await openPage({ path: '/' })];
    await (await new LandingPage(ada.page).startWithPhone()).signUp(adasPhone, 'Ada', 'Adams');
    await waitUntilVisible(new ChatsPage(ada.page).emptyTitle);
    await (await new LandingPage(ben.page).startWithPhone()).signUp(bensPhone, 'Ben', 'Botha');
    await waitUntilVisible(new ChatsPage(ben.page).emptyTitle);

    await new Shell(ada.page).link('contacts').click();
    const contacts = new ContactsPage(ada.page);
    await contacts.addContact(bensPhone, 'Ben Botha');
    await contacts.openConversation('Ben Botha');
    await waitForPath(ada.page, /^\/chat\//);
    const path = new URL(ada.page.url()).pathname;
    const adas = new MediaConversationPage(ada.page, 'Ben Botha');
    await adas.sendText('Hello Ben');
    // Ben does not have her as a contact yet.
    const requests = new MessageRequestsPage(ben.page);
    await requests.open('Ada Adams');
    await requests.accept.click();
    const bens = new MediaConversationPage(ben.page, 'Ada Adams');
    await waitUntilVisible(bens.message('Hello Ben'), adas.deliveryIcon('Hello Ben', 'read'));
    await bens.sendText('Hello Ada');
    await waitUntilVisible(adas.message('Hello Ada'));

    await adas.give([await aPhotograph('Saddle.jpg', '#1db584')]);
    await ada.page.getByPlaceholder(en.conversation.caption).fill('The saddle');
    await adas.sendFiles(1).click();
    await waitUntilHidden(adas.pendingAttachments);
    const picture = bens.message('The saddle').getByRole('button', { name: /^Open the picture/ });
    await waitUntilVisible(picture);
    await waitForExpectation(async () => expect(await bens.isDrawn(picture)).toBe(true));

    await adas.record.click();
    const timer = adas.recorder.getByRole('timer', { name: enVoice.recording });
    await waitForExpectation(async () => expect(await timer.innerText()).toMatch(/^0:0[1-9]/));
    await adas.recorder.getByRole('button', { name: enVoice.send }).click();
    await waitUntilHidden(adas.recorder);
    await waitForExpectation(async () => expect(await bens.voiceNotes().count()).toBe(1));

    // A call takes a direct path, and ends for both.
    const [caller, callee] = [new CallPage(ada.page, 'Ben Botha'), new CallPage(ben.page, 'Ada Adams')];
    await caller.videoCall.click();
    await waitUntilVisible(callee.incoming.getByText(enCalls.incomingVideo));
    await callee.answer('answerVideo').click();
    await waitUntilAllMoving(caller.large, callee.large);
    await caller.end.click();
    await waitUntilVisible(callee.disconnected);
    await waitForPath(ada.page, path);
    expect([...ada.violations, ...ben.violations]).toEqual([]);
  });

  story('the app opens offline from the device, and sends once what was written', async () => {
    const { ada, ben, id } = await createFriends(url(), ['Before']);
    const visitor = await openPage({ as: ada.user, path: `/chat/${id}`, installs: true });
    const { page, context } = visitor;
    const conversation = new ConversationPage(page, ben.name);
    await waitUntilVisible(conversation.message('Before'));
    await waitForServiceWorker(page);
    await waitUntilMessagesStored(page, 'Before');
    // Firefox requests this icon with every page, even offline.
    const { caches } = await readBrowserStores(page);
    const kept = Object.values(caches).flatMap((addresses) => addresses.map((address) => new URL(address).pathname));
    expect(kept).toContain('/icon-180.png');

    await context.setOffline(true);
    await page.reload();
    await waitUntilVisible(conversation.message('Before'), new Shell(page).offlineBanner);
    await conversation.sendText('Written offline');
    await context.setOffline(false);
    await waitUntilVisible(
      conversation
        .deliveryIcon('Written offline', 'sent')
        .or(conversation.deliveryIcon('Written offline', 'delivered')),
    );
    const reply = await ben.user.api.get<{ content: string }[]>(`/api/conversations/${id}/messages`);
    expect(reply.body.map(({ content }) => content).toSorted()).toEqual(['Before', 'Written offline']);
  });

  story(
    'keys are created and survive a reload, and recovery words bring them back after the storage was emptied',
    async () => {
      const ada = await createCastMember(url(), 'Ada Adams');
      const { page, devices } = await deviceOpener({ openPage, url })(ada);
      await devices.waitForKeys();
      const { hasEngine, found } = await page.evaluate<SigningKeys>(readSigningKeysScript);
      expect(found).toEqual(hasEngine ? ['handle'] : []);
      await page.reload();
      await devices.waitForKeys();
      await waitUntilVisible(devices.firstRow);

      const written = await devices.setRecoveryWords();
      await emptyKeys(page);
      await page.reload();
      await devices.restoreByWords(written);
      await waitUntilVisible(devices.restoredRow);
      await waitUntilHidden(devices.firstRow);
    },
  );

  story('media of a meeting sealed in Firefox is seen and heard in Chromium, and vice versa', async () => {
    const [ada, ben] = await Promise.all([createCastMember(url(), 'Ada Adams'), createCastMember(url(), 'Ben Botha')]);
    const key = Array.from({ length: 16 }, (_, index) => index);
    const adas = await openPage({ as: ada.user });
    await encryptFrames(adas.context, key);
    await adas.go(`${sealing.url()}/meetings`);
    const code = await new MeetingsPage(adas.page).create('Sealed');
    const adasRoom = new MeetingRoomPage(adas.page);
    await adasRoom.enter();
    const bens = await chromium.openPage({ as: ben.user });
    await encryptFrames(bens.context, key);
    await bens.go(`/meeting/${code}`);
    const bensRoom = new MeetingRoomPage(bens.page);
    await bensRoom.enter();
    await waitUntilAllMoving(adasRoom.video(ben.name), bensRoom.video(ada.name));
    await waitForExpectation(async () => {
      for (const { page } of [adas, bens]) {
        const { sent, received } = (await readFrameCounts(page)) ?? {};
        for (const count of [sent?.audio, sent?.video, received?.audio, received?.video])
          expect(count).toBeGreaterThan(0);
      }
    });
    await bensRoom.control('cameraOff').click();
    await waitUntilHidden(adasRoom.video(ben.name));
    await bensRoom.leave.click();
    await waitUntilHidden(adasRoom.tile(ben.name));
  });
});
