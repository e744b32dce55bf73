import { ChatsPage } from './pages/ChatsPage.ts';
import { GroupJoinPage } from './pages/GroupDialogs.ts';
import { GroupPage } from './pages/GroupPage.ts';
import { Toasts } from './pages/Toasts.ts';
import { joinGroupByCode, renderSystemMessage, createRoom, createThreePeople } from './support/groups.ts';
import { setUpJourney } from './support/journey.ts';
import { waitForPath, waitUntilHidden, waitUntilVisible, waitForExpectation } from './support/waitFor.ts';
import { en, enGroup, enGroups, enRoomCode, fillPlaceholders } from './support/words.ts';

const { story, openPage, url } = setUpJourney();

story('roles: admins are appointed, members removed and banned, and a ban is lifted', async () => {
  const { ada, ben, cleo } = await createThreePeople(url());
  const group = await createRoom(ada, 'Kite club');
  const code = group.roomCode ?? '';
  await joinGroupByCode(ben, code);
  await joinGroupByCode(cleo, code);
  const adas = await openPage({ as: ada.user, path: `/group-chat/${group.id}` });
  const bens = await openPage({ as: ben.user, path: `/group-chat/${group.id}` });
  const cleos = await openPage({ as: cleo.user, device: 'phone', path: `/group-chat/${group.id}` });
  const [adasGroup, bensGroup] = [new GroupPage(adas.page, 'Kite club'), new GroupPage(bens.page, 'Kite club')];

  // A member cannot manage the others.
  await bensGroup.openDetails();
  await waitUntilVisible(bensGroup.member(cleo.name));
  await bensGroup.members
    .getByRole('button', { name: fillPlaceholders(enGroups.details.actionsFor, { name: cleo.name }) })
    .click();
  await waitUntilVisible(bensGroup.menu);
  expect(await bensGroup.menu.getByRole('menuitem').allInnerTexts()).toEqual([enGroups.details.message]);
  await bens.page.keyboard.press('Escape');

  await adasGroup.decide(ben.name, 'makeAdmin');
  await waitUntilVisible(bensGroup.systemMessage(renderSystemMessage('admin_made', 'ofYou', { actor: ada.name })));
  await waitUntilVisible(bensGroup.member(en.common.you).getByText(enGroups.details.admin));

  // The new admin removes Cleo, who is notified and may return with the code of this public group.
  await waitUntilVisible(new GroupPage(cleos.page, 'Kite club').composer);
  await bensGroup.decide(cleo.name, 'remove');
  await bensGroup.confirm(enGroups.confirm.remove);
  await waitUntilVisible(
    adasGroup.systemMessage(renderSystemMessage('member_removed', 'other', { actor: ben.name, person: cleo.name })),
  );
  await new Toasts(cleos.page).expectShown(fillPlaceholders(enGroup.removed, { name: 'Kite club' }));
  await waitUntilVisible(new GroupJoinPage(cleos.page).notFound);
  await cleos.go(`/group-chat/${code}`);
  await new GroupJoinPage(cleos.page).join.click();
  await waitForPath(cleos.page, `/group-chat/${group.id}`);

  await adasGroup.openDetails();
  await waitUntilVisible(adasGroup.member(cleo.name));
  await adasGroup.decide(cleo.name, 'ban');
  await adasGroup.confirm(enGroups.confirm.ban);
  await waitUntilVisible(new GroupJoinPage(cleos.page).notFound);
  await cleos.go(`/group-chat/${code}`);
  await waitUntilVisible(new GroupJoinPage(cleos.page).banned('Kite club'));

  await adasGroup.action(enGroups.bans.title);
  await adasGroup
    .dialog(enGroups.bans.title)
    .getByRole('button', { name: fillPlaceholders(enGroups.bans.liftNamed, { name: cleo.name }) })
    .click();
  await waitUntilVisible(adas.page.getByText(enGroups.bans.empty));
  await cleos.page.reload();
  await waitUntilVisible(new GroupJoinPage(cleos.page).join);
});

story('a code is changed and revoked, a name and permissions change, and everyone sees it', async () => {
  const { ada, ben } = await createThreePeople(url());
  const group = await createRoom(ada, 'Old name');
  const code = group.roomCode ?? '';
  await joinGroupByCode(ben, code);
  const adas = await openPage({ as: ada.user, path: `/group-chat/${group.id}` });
  const bens = await openPage({ as: ben.user, path: `/group-chat/${group.id}` });
  const adasGroup = new GroupPage(adas.page, 'Old name');
  await waitUntilVisible(adasGroup.composer, new GroupPage(bens.page, 'Old name').composer);

  await adasGroup.action(enGroups.details.roomCode);
  const codes = adasGroup.dialog(enGroups.code.title);
  await codes.getByRole('button', { name: enRoomCode.rotate, exact: true }).click();
  await adasGroup.confirm(enRoomCode.rotate);
  const shown = codes.getByRole('textbox', { name: enRoomCode.code });
  await waitForExpectation(async () => expect(await shown.inputValue()).not.toBe(code));
  const next = await shown.inputValue();
  // The tests of chat check what each code opens.
  expect(next).toMatch(/^[2-9A-HJKMNP-Z]{6}$/);
  await codes.getByRole('button', { name: enRoomCode.expire, exact: true }).click();
  await adasGroup.confirm(enRoomCode.expire);
  await waitUntilVisible(codes.getByText(enGroups.code.none));
  await codes.getByRole('button', { name: enRoomCode.done }).click();

  await adasGroup.action(enGroups.details.editGroup);
  const edit = adasGroup.dialog(enGroups.form.editTitle);
  await edit.getByRole('textbox', { name: enGroups.form.name }).fill('New name');
  await edit.getByRole('textbox', { name: enGroups.form.description }).fill('Every second Tuesday');
  await edit.getByRole('button', { name: en.common.save, exact: true }).click();
  const bensGroup = new GroupPage(bens.page, 'New name');
  await waitUntilVisible(
    bensGroup.heading,
    bensGroup.systemMessage(renderSystemMessage('name_changed', 'other', { actor: ada.name, name: 'New name' })),
  );
  await bensGroup.openDetails();
  await waitUntilVisible(bens.page.getByText('Every second Tuesday'));
  await waitUntilVisible(new ChatsPage(bens.page).row('New name'));
  // Ben is not offered actions that are for admins only.
  await waitUntilHidden(bens.page.getByRole('button', { name: enGroups.details.settings }));

  const renamed = new GroupPage(adas.page, 'New name');
  await renamed.action(enGroups.details.settings);
  const settings = renamed.dialog(enGroups.details.settings);
  await settings.getByRole('radio', { name: enGroups.form.private }).check({ force: true });
  await waitUntilVisible(bensGroup.systemMessage(renderSystemMessage('made_private', 'other', { actor: ada.name })));
});
