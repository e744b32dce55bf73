import { converse } from '@nolo/testing';
import type { Locator, Page } from 'playwright-core';
import { setUpSealedPeople } from '../support/clients/sealedDevices.ts';
import { ConversationPage } from './pages/ConversationPage.ts';
import { GroupDialogs } from './pages/GroupDialogs.ts';
import { GroupPage } from './pages/GroupPage.ts';
import { sendMessage, type CastMember } from './support/cast.ts';
import { createGroupWith, createRoom, createThreePeople, joinGroupByCode } from './support/groups.ts';
import { getUrlWithoutServiceWorker, setUpJourney } from './support/journey.ts';
import { deviceOpener } from './support/keys.ts';
import { waitUntilHidden, waitUntilVisible } from './support/waitFor.ts';
import { en, enGroups, enMessages, enSealed, fillPlaceholders } from './support/words.ts';

const journey = setUpJourney(getUrlWithoutServiceWorker);
const { story, url } = journey;
const openDevices = deviceOpener(journey);
/** Starts a device without a browser, for people whose screen the story does not check. */
const { startDeviceOf } = setUpSealedPeople();

/** Opens a browser of the person in which their first keys are ready. */
async function openWithKeys(member: CastMember) {
  const visitor = await openDevices(member);
  await visitor.devices.waitForKeys();
  return visitor;
}

const findLock = (page: Page): Locator =>
  page.locator('header').getByRole('img', { name: en.conversation.encrypted, exact: true });

const findCard = (page: Page): Locator => page.getByRole('region', { name: enSealed.region });

/** Answers the question of the card. */
async function answer(page: Page, title: string, label: string): Promise<void> {
  await waitUntilVisible(findCard(page).getByText(title));
  await findCard(page).getByRole('button', { name: label, exact: true }).click();
  await waitUntilHidden(findCard(page).getByText(title));
}

story('a group is encrypted from its first message, and its members change with signatures', async () => {
  const { ada, ben, cleo } = await createThreePeople(url());
  const [adas, bens, cleos] = [await openWithKeys(ada), await openWithKeys(ben), await startDeviceOf(cleo)];
  await adas.go('/');
  const dialogs = new GroupDialogs(adas.page);
  await dialogs.create('Hikers', [ben.name]);
  await dialogs.openShared();
  const adasGroup = new GroupPage(adas.page, 'Hikers');
  await adasGroup.sendText('Who is in?');
  await waitUntilVisible(findLock(adas.page));
  await waitUntilVisible(
    adasGroup.deliveryIcon('Who is in?', 'delivered').or(adasGroup.deliveryIcon('Who is in?', 'sent')),
  );
  const path = new URL(adas.page.url()).pathname;
  await bens.go(path);
  const bensGroup = new GroupPage(bens.page, 'Hikers');
  await waitUntilVisible(bensGroup.message('Who is in?'), findLock(bens.page));

  await adasGroup.action(enGroups.details.addMembers);
  const adding = adasGroup.dialog(enGroups.details.addMembers);
  await dialogs.choose(adding, [cleo.name]);
  await adding.getByRole('button', { name: enGroups.details.add, exact: true }).click();
  await waitUntilVisible(adasGroup.member(cleo.name));
  await adasGroup.sendText('Welcome, Cleo');
  const id = path.split('/').at(-1) ?? '';
  await cleos.chats.open(id);
  await cleos.reads(id, ['Welcome, Cleo']);

  await adasGroup.decide(ben.name, 'makeAdmin');
  await bensGroup.openDetails();
  await waitUntilVisible(bensGroup.member(en.common.you).getByText(enGroups.details.admin));
  await bensGroup.decide(cleo.name, 'remove');
  await bensGroup.confirm(enGroups.confirm.remove);
  await waitUntilHidden(bensGroup.member(cleo.name));
  await bensGroup.sendText('Without Cleo');
  await waitUntilVisible(adasGroup.message('Without Cleo'));

  await adasGroup.openDetails();
  await adas.page.getByRole('combobox', { name: enMessages.timer.title }).selectOption('3600');
  await waitUntilVisible(adas.page.locator('header').getByRole('img', { name: /disappear/i }));
  await adasGroup.sendText('Gone in an hour');
  await waitUntilVisible(bensGroup.message('Gone in an hour'));

  await bensGroup.leave();
  await waitUntilHidden(adasGroup.member(ben.name));
});

story('members of an older group look through the list that the server supplied', async () => {
  const { ada, ben, cleo } = await createThreePeople(url());
  const group = await createGroupWith(ada, 'Old friends', [ben, cleo]);
  await sendMessage(ben, group.id, 'From before');
  const adas = await openWithKeys(ada);
  const adasGroup = new GroupPage(adas.page, 'Old friends');

  // The group stays plain while nobody else has keys.
  const withoutKeys = enSealed.question.not_encrypted.text;
  await adas.go(`/group-chat/${group.id}`);
  await waitUntilVisible(adasGroup.message('From before'));
  await adasGroup.composer.fill('Now');
  await waitUntilVisible(findCard(adas.page).getByText(withoutKeys));
  const bens = await openWithKeys(ben);
  await waitUntilHidden(findCard(adas.page).getByText(withoutKeys));

  await waitUntilVisible(findCard(adas.page).getByText(enSealed.question.members.title));
  await adasGroup.sendText('Now in private');
  await waitUntilVisible(adasGroup.message('Now in private').getByText(enSealed.held.question));
  await answer(adas.page, enSealed.question.members.title, enSealed.question.members.yes);
  await waitUntilHidden(adasGroup.message('Now in private').getByText(enSealed.held.question));
  await waitUntilVisible(findLock(adas.page));

  await bens.go(`/group-chat/${group.id}`);
  const bensGroup = new GroupPage(bens.page, 'Old friends');
  await waitUntilVisible(bensGroup.message('Now in private'));
  await bensGroup.composer.fill('Agreed');
  await answer(bens.page, enSealed.question.members.title, enSealed.question.members.yes);
  await bensGroup.sendText('Agreed');
  await waitUntilVisible(adasGroup.message('Agreed'));
  await bensGroup.openDetails();
});

story('who joins by the code reads on once a member agreed', async () => {
  const { ada, ben, cleo } = await createThreePeople(url());
  const room = await createRoom(ada, 'Open room');
  const code = room.roomCode ?? '';
  const [adas, bens, cleos] = [await openWithKeys(ada), await startDeviceOf(ben), await openWithKeys(cleo)];
  await joinGroupByCode(ben, code);
  await adas.go(`/group-chat/${room.id}`);
  const adasRoom = new GroupPage(adas.page, 'Open room');
  await adasRoom.sendText('Hello Ben');
  await waitUntilVisible(findLock(adas.page));
  await bens.chats.open(room.id);
  await bens.reads(room.id, ['Hello Ben']);
  await cleos.go('/');
  const dialogs = new GroupDialogs(cleos.page);
  await dialogs.join(code);
  const cleosRoom = new GroupPage(cleos.page, 'Open room');
  await waitUntilVisible(cleosRoom.composer);

  await adasRoom.sendText('Hello Cleo');
  const joined = fillPlaceholders(enSealed.question.joined.title_one, { names: cleo.name });
  await waitUntilVisible(findCard(adas.page).getByText(joined));
  await answer(adas.page, joined, enSealed.question.goOn);
  // Ada wrote it before she knew of Cleo, and her answer is about both.
  await waitUntilVisible(cleosRoom.message('Hello Cleo'));
});

story('an admin reads, approves, and discards what a new member of an encrypted group sent', async () => {
  const { ada, ben, cleo } = await createThreePeople(url());
  const group = await createGroupWith(ada, 'Careful people', [ben, cleo]);
  await ada.user.api.patch(`/api/group-chats/${group.id}`, { settings: { moderationEnabled: true } });
  const [adas, bens, cleos] = [await openWithKeys(ada), await openWithKeys(ben), await openWithKeys(cleo)];
  const path = `/group-chat/${group.id}`;
  for (const { go } of [adas, bens, cleos]) await go(path);
  const [adasGroup, bensGroup, cleosGroup] = [adas, bens, cleos].map(
    ({ page }) => new GroupPage(page, 'Careful people'),
  );
  await adasGroup!.sendText('Welcome');
  await waitUntilVisible(findLock(adas.page), bensGroup!.message('Welcome'), cleosGroup!.message('Welcome'));

  const link = 'See https://example.com/garden';
  await bensGroup!.composer.fill(link);
  await bensGroup!.composer.press('Enter');
  const waiting = bens.page
    .getByRole('status')
    .filter({ hasText: fillPlaceholders(en.conversation.group.heldOwn_one, { count: 1 }) });
  await waiting.getByRole('button', { name: en.conversation.group.showHeld }).click();
  await waitUntilVisible(bens.page.getByRole('region', { name: enGroups.held.ownTitle }).getByText(link));

  const decide = async (how: 'approveNamed' | 'declineNamed') => {
    await adasGroup!.openDetails();
    await waitUntilVisible(adasGroup!.unapprovedMessages.getByText(link));
    const label = fillPlaceholders(enGroups.held[how], { name: ben.name });
    await adasGroup!.unapprovedMessages.getByRole('button', { name: label }).click();
    await waitUntilHidden(adasGroup!.unapprovedMessages, waiting);
  };
  await decide('approveNamed');
  // Everyone sees it as a message of its author.
  const approvedBy = fillPlaceholders(enMessages.approvedBy, { name: ada.name });
  for (const [group, author, line] of [
    [adasGroup, ben.name, enMessages.approvedByYou],
    [bensGroup, en.common.you, approvedBy],
    [cleosGroup, ben.name, approvedBy],
  ] as const) {
    const post = group!.feed
      .getByRole('article', { name: author, exact: true })
      .filter({ hasText: 'example.com/garden' });
    await waitUntilVisible(post.getByText(line, { exact: true }));
  }

  await bensGroup!.composer.fill(link);
  await bensGroup!.composer.press('Enter');
  await waitUntilVisible(waiting);
  await decide('declineNamed');

  await bensGroup!.composer.fill(link);
  await bensGroup!.composer.press('Enter');
  await waiting.getByRole('button', { name: en.conversation.group.showHeld }).click();
  const own = bens.page.getByRole('region', { name: enGroups.held.ownTitle });
  const label = new RegExp(`^${fillPlaceholders(enGroups.held.withdrawNamed, { time: '.+' })}$`);
  await own.getByRole('button', { name: label }).click();
  await waitUntilHidden(own, waiting, adasGroup!.unapprovedMessages);
  await bensGroup!.sendText('Words alone are fine');
  await waitUntilVisible(cleosGroup!.message('Words alone are fine'));
  expect(await cleosGroup!.message('example.com/garden').count()).toBe(1);
  await bensGroup!.deleteForEveryone('example.com/garden');
  await waitUntilHidden(cleosGroup!.message('example.com/garden'));
  await waitUntilVisible(cleosGroup!.feed.getByText(en.conversation.deleted));
});

story('an older conversation with a person without keys says that it is not encrypted', async () => {
  const { ada, ben } = await createThreePeople(url());
  const { id } = await converse(ada.user, ben.user);
  await sendMessage(ben, id, 'From before');
  const adas = await openWithKeys(ada);
  await adas.go(`/chat/${id}`);
  const chat = new ConversationPage(adas.page, ben.name);
  await waitUntilVisible(
    findCard(adas.page).getByText(fillPlaceholders(enSealed.plain.people_one, { names: ben.name })),
  );
  await chat.sendText('In the open');
  await waitUntilHidden(findLock(adas.page));
  await startDeviceOf(ben);
  await waitUntilHidden(findCard(adas.page));
  await chat.sendText('In private');
  await waitUntilVisible(findLock(adas.page));
});

story('the first message to a person without keys waits until they have some', async () => {
  const { ada, ben } = await createThreePeople(url());
  const adas = await openWithKeys(ada);
  const { id } = await converse(ada.user, ben.user);
  await adas.go(`/chat/${id}`);
  const chat = new ConversationPage(adas.page, ben.name);
  await waitUntilVisible(
    findCard(adas.page).getByText(fillPlaceholders(enSealed.waiting.directWithoutKeys, { name: ben.name })),
  );
  await chat.sendText('Only for you');
  const held = chat.message('Only for you').getByText(enSealed.held.waiting_for_key);
  await waitUntilVisible(held);
  const bens = await startDeviceOf(ben);
  await waitUntilHidden(held, findCard(adas.page));
  await waitUntilVisible(findLock(adas.page));
  await bens.chats.open(id);
  await bens.reads(id, ['Only for you']);
});
