import { ChatsPage } from './pages/ChatsPage.ts';
import { GroupDialogs, GroupJoinPage } from './pages/GroupDialogs.ts';
import { GroupPage } from './pages/GroupPage.ts';
import { Toasts } from './pages/Toasts.ts';
import { renderSystemMessage, createRoom, createThreePeople } from './support/groups.ts';
import { setUpJourney } from './support/journey.ts';
import { waitForPath, waitUntilHidden, waitUntilVisible } from './support/waitFor.ts';
import { en, enGroup, enGroups, enRoomCode, fillPlaceholders } from './support/words.ts';

const { story, openPage, url } = setUpJourney();

story('a group of chosen people is created on a desktop, shared, and used from a phone', async () => {
  const { ada, ben, cleo } = await createThreePeople(url());
  const adas = await openPage({ as: ada.user, path: '/' });
  await adas.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const dialogs = new GroupDialogs(adas.page);
  const toasts = new Toasts(adas.page);
  const bens = await openPage({ as: ben.user, device: 'phone', path: '/' });
  const bensChats = new ChatsPage(bens.page);
  await waitUntilVisible(bensChats.row(ada.name));

  await dialogs.open('create');
  const submit = dialogs.creating.getByRole('button', { name: enGroups.form.submit });
  await dialogs.creating.getByRole('textbox', { name: enGroups.form.name }).fill('Sunday hikers');
  await dialogs.choose(dialogs.creating, [ben.name, cleo.name]);
  await submit.click();

  // The new group is offered for sharing.
  await waitUntilVisible(dialogs.sharing);
  const code = await dialogs.sharedCode.inputValue();
  expect(code).toMatch(/^[2-9A-HJKMNP-Z]{6}$/);
  await dialogs.sharing.getByRole('button', { name: enRoomCode.copyLink }).click();
  await toasts.expectShown(en.success.copied, enGroups.share.linkCopied);
  expect(await adas.page.evaluate('navigator.clipboard.readText()')).toBe(new URL(`/group-chat/${code}`, url()).href);
  await dialogs.openShared();
  await waitForPath(adas.page, /^\/group-chat\/[0-9a-f-]{36}$/);
  const adasGroup = new GroupPage(adas.page, 'Sunday hikers');
  await waitUntilVisible(adasGroup.heading, adasGroup.count(3));
  await waitUntilVisible(adasGroup.systemMessage(renderSystemMessage('group_created', 'byYou')));

  // The others get it without doing anything, and see who wrote.
  await waitUntilVisible(bensChats.row('Sunday hikers'));
  await adasGroup.sendText('Nine at the gate');
  await waitUntilVisible(bensChats.row('Sunday hikers').getByText('Ada: Nine at the gate'));
  await bensChats.row('Sunday hikers').click();
  const bensGroup = new GroupPage(bens.page, 'Sunday hikers');
  await waitUntilVisible(bensGroup.message('Nine at the gate').getByText('Ada Adams').first());
  await bensGroup.composer.pressSequentially('Com');
  await waitUntilVisible(
    adas.page.getByRole('status', { name: fillPlaceholders(en.chats.typing, { name: ben.name }) }),
  );
  await bensGroup.sendText('Coming');
  await waitUntilVisible(adasGroup.message('Coming').getByText('Ben Botha').first());

  // A picker mentions a person, who sees the mention.
  await adasGroup.composer.pressSequentially('Well done @be');
  await waitUntilVisible(adas.page.getByRole('option', { name: ben.name }));
  await adasGroup.composer.press('Enter');
  await adasGroup.composer.pressSequentially('!');
  await adasGroup.composer.press('Enter');
  await waitUntilVisible(bens.page.locator('[data-mention="self"]'), adas.page.locator('[data-mention="other"]'));
  expect(await bens.page.evaluate('document.documentElement.scrollWidth')).toBe(390);
});

story('a room is created on a phone and joined by its code from a desktop', async () => {
  const { ada, ben } = await createThreePeople(url());
  const adas = await openPage({ as: ada.user, device: 'phone', path: '/' });
  const dialogs = new GroupDialogs(adas.page);
  const code = await dialogs.createRoom('Harbour choir', 'public');
  await dialogs.openShared();
  const adasGroup = new GroupPage(adas.page, 'Harbour choir');
  await waitUntilVisible(adasGroup.heading, adasGroup.count(1));

  // Ben types the code in lowercase and with spaces.
  const bens = await openPage({ as: ben.user, path: '/' });
  const bensDialogs = new GroupDialogs(bens.page);
  await bensDialogs.open('joinChat');
  await bensDialogs.code.fill(` ${code.toLowerCase()} `);
  await bensDialogs.submitCode();
  const bensGroup = new GroupPage(bens.page, 'Harbour choir');
  await waitUntilVisible(bensGroup.heading, bensGroup.count(2));
  await waitUntilVisible(
    adasGroup.systemMessage(renderSystemMessage('member_joined', 'other', { actor: ben.name })),
    adasGroup.count(2),
  );
});

story('a private group: people with the code ask to join, and an admin approves or declines', async () => {
  const { ada, ben, cleo } = await createThreePeople(url());
  const group = await createRoom(ada, 'Book circle', { isPublic: false });
  const code = group.roomCode ?? '';
  const adas = await openPage({ as: ada.user, path: `/group-chat/${group.id}` });
  const adasGroup = new GroupPage(adas.page, 'Book circle');
  await waitUntilVisible(adasGroup.heading);

  const bens = await openPage({ as: ben.user, device: 'phone', path: `/group-chat/${code}` });
  const bensJoinPage = new GroupJoinPage(bens.page);
  await bensJoinPage.askToJoin.click();
  await waitUntilVisible(bensJoinPage.waiting);
  const toDecide = adas.page.getByText(fillPlaceholders(enGroup.toDecide_one, { count: 1 }));
  await waitUntilVisible(toDecide);

  await adasGroup.answerRequest(ben.name, 'declineNamed');
  await waitUntilHidden(adasGroup.requests);
  await waitUntilVisible(bensJoinPage.askToJoin);

  // Cleo, whose screen is not tested here, also asks and is admitted.
  expect((await cleo.user.api.post(`/api/group-chats/join/${code}`)).status).toBeLessThan(300);
  await waitUntilVisible(toDecide);
  await adasGroup.answerRequest(cleo.name, 'approveNamed');
  await waitUntilVisible(
    adasGroup.systemMessage(renderSystemMessage('member_admitted', 'byYou', { person: cleo.name })),
  );

  // An invite link needs no approval.
  await adasGroup.action(enGroups.details.roomCode);
  const dialog = adasGroup.dialog(enGroups.code.title);
  await dialog.getByRole('button', { name: enGroups.code.inviteMake }).click();
  const link = await dialog.getByRole('textbox', { name: enGroups.code.inviteOnce }).inputValue();
  expect(new URL(link).hash).toContain('invite=');
  const { pathname, hash } = new URL(link);
  await bens.go('/');
  await bens.go(pathname + hash);
  await waitUntilVisible(bens.page.getByText(enGroups.admission.inviteText));
  await bensJoinPage.join.click();
  await waitForPath(bens.page, `/group-chat/${group.id}`);
  await waitUntilVisible(new GroupPage(bens.page, 'Book circle').composer);
});
