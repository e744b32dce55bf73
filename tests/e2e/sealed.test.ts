import type { Message } from '@nolo/api';
import { setUpSealedPeople } from '../support/clients/sealedDevices.ts';
import { ConversationPage } from './pages/ConversationPage.ts';
import { GroupPage } from './pages/GroupPage.ts';
import { MediaConversationPage } from './pages/MediaConversationPage.ts';
import { befriend, createFriends, type CastMember } from './support/cast.ts';
import { createGroupWith, createThreePeople } from './support/groups.ts';
import { getUrlWithoutServiceWorker, setUpJourney } from './support/journey.ts';
import { deviceOpener, linkByNumbers } from './support/keys.ts';
import { aPhotograph } from './support/mediaFiles.ts';
import { waitForExpectation, waitUntilVisible } from './support/waitFor.ts';
import { en, enMessages, fillPlaceholders } from './support/words.ts';

const journey = setUpJourney(getUrlWithoutServiceWorker);
const { story, url } = journey;
const openDevices = deviceOpener(journey);
/** Starts a device without a browser, for people whose screen the story does not check. */
const { startDeviceOf } = setUpSealedPeople();

/** Opens a browser with keys for each person, at the conversation. */
async function openWithKeys(people: readonly CastMember[], path: string) {
  const opened = await Promise.all(people.map((person) => openDevices(person)));
  for (const { devices } of opened) await devices.waitForKeys();
  await Promise.all(opened.map(({ go }) => go(path)));
  return opened;
}

/** Returns what the server keeps of the messages that people wrote. */
async function listStored(person: CastMember, id: string): Promise<Message[]> {
  const reply = await person.user.api.get<Message[]>(`/api/conversations/${id}/messages?limit=100&content=sealed`);
  return reply.body.filter(({ messageType }) => messageType !== 'system');
}

story(
  'two people talk, reply, react, edit, delete, pin and send a picture, and the server keeps no content',
  async () => {
    const { ada, ben, id } = await createFriends(url(), ['Before encryption']);
    const [adas, bens] = await openWithKeys([ada, ben], `/chat/${id}`);
    const adasChat = new MediaConversationPage(adas!.page, ben.name);
    const bensChat = new MediaConversationPage(bens!.page, ada.name);
    await waitUntilVisible(adasChat.message('Before encryption'), bensChat.message('Before encryption'));

    await adasChat.sendText('The tide is out');
    await waitUntilVisible(
      bensChat.message('The tide is out'),
      bensChat.feed.getByText(en.sealedRows.encryptedFromHere),
    );
    await adasChat.edit('The tide is out', 'The tide is low');
    await waitUntilVisible(bensChat.message('The tide is low').getByText(en.conversation.edited));
    await bensChat.openMenu('The tide is low');
    await bensChat.choose(enMessages.pin);
    for (const { page } of [adas!, bens!]) await waitUntilVisible(page.getByText(enMessages.pinned.banner));
    await bensChat.reply('The tide is low', 'Then we walk');
    await waitUntilVisible(adasChat.quote('Then we walk').getByText('The tide is low'));
    await adasChat.react('Then we walk', '👍');
    await waitUntilVisible(bensChat.reaction('Then we walk', '👍'));
    await bensChat.reply('Before encryption', 'From the old days');
    await waitUntilVisible(adasChat.quote('From the old days').getByText('Before encryption'));
    await bensChat.sendText('Not this one');
    await waitUntilVisible(adasChat.message('Not this one'));
    await bensChat.deleteForEveryone('Not this one');
    await waitUntilVisible(adasChat.message(en.conversation.deleted));
    await adasChat.give([await aPhotograph('beach.jpg', '#2a7')]);
    await adasChat.sendFiles(1).click();
    await waitForExpectation(async () =>
      expect(await bensChat.isDrawn(bensChat.pictures(ada.name).first())).toBe(true),
    );

    await bens!.page.reload();
    await waitUntilVisible(bensChat.quote('Then we walk').getByText('The tide is low'));
    await waitUntilVisible(bensChat.reaction('Then we walk', '👍'), bensChat.pictures(ada.name).first());

    const [plain, ...sealed] = await listStored(ben, id);
    expect(plain?.content).toBe('Before encryption');
    expect(sealed).toHaveLength(5);
    for (const { content, fileName } of sealed) expect([content, fileName ?? null]).toEqual(['', null]);
    expect(JSON.stringify(sealed)).not.toMatch(/tide|walk|old days|Not this one|beach/u);
  },
);

story('a device that is linked later reads the history, and says what it waits for until then', async () => {
  const { ada, ben, id } = await createFriends(url());
  const bens = await startDeviceOf(ben);
  await bens.chats.open(id);
  const [adas] = await openWithKeys([ada], `/chat/${id}`);
  const adasChat = new ConversationPage(adas!.page, ben.name);
  await adasChat.sendText('From the desktop');
  await adasChat.sendText('And once more');
  await bens.reads(id, ['From the desktop', 'And once more']);

  const phone = await openDevices(ada, 'phone');
  await phone.go(`/chat/${id}`);
  const onPhone = new ConversationPage(phone.page, ben.name);
  await waitUntilVisible(onPhone.feed.getByText(fillPlaceholders(en.sealedRows.waiting_other, { count: 2 })));
  await onPhone.feed.getByRole('button', { name: en.sealedRows.why }).click();
  await waitUntilVisible(onPhone.feed.getByText(en.sealedRows.waitingSetUp));

  await Promise.all([phone.devices.open(), adas!.devices.open()]);
  await linkByNumbers(adas!.devices, phone.devices);
  await phone.go(`/chat/${id}`);
  await waitUntilVisible(onPhone.message('From the desktop'), onPhone.message('And once more'));
  await waitUntilVisible(onPhone.feed.getByText(en.sealedRows.encrypted));
});

story('a group of three is encrypted from its first message, and a removal is said as it was signed', async () => {
  const { ada, ben, cleo } = await createThreePeople(url());
  await befriend(ben, cleo);
  const { id } = await createGroupWith(ada, 'Tide tables', [ben, cleo]);
  const [adas, cleos] = [await startDeviceOf(ada), await startDeviceOf(cleo)];
  const [ofBen] = await openWithKeys([ben], `/group-chat/${id}`);
  const bens = new GroupPage(ofBen!.page, 'Tide tables');
  await waitUntilVisible(bens.composer);
  for (const device of [adas, cleos]) await device.chats.open(id);
  await adas.send(id, 'Low at nine');
  await waitUntilVisible(bens.message('Low at nine'), bens.feed.getByText(en.sealedRows.encrypted));
  await cleos.reads(id, ['Low at nine']);
  await cleos.send(id, 'High at three');
  await waitUntilVisible(bens.message('High at three'));

  const removed = await ada.user.api.delete(`/api/group-chats/${id}/members/${cleo.user.id}`);
  expect(removed.status).toBeLessThan(300);
  await adas.reads(id, ['Low at nine', 'High at three']);
  await adas.send(id, 'Two of us now');
  await waitUntilVisible(bens.message('Two of us now'));
  await waitUntilVisible(bens.feed.getByText(fillPlaceholders(en.sealedRows.serverRemoved, { person: cleo.name })));
  expect((await listStored(ben, id)).map(({ content }) => content)).toEqual(['', '', '']);
});
