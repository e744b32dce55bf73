import { openToGroups } from '@nolo/testing';
import { ChatsPage } from './pages/ChatsPage.ts';
import { GroupDialogs } from './pages/GroupDialogs.ts';
import { GroupPage } from './pages/GroupPage.ts';
import { MeetingsPage } from './pages/MeetingsPage.ts';
import { Toasts } from './pages/Toasts.ts';
import { findAxeIssues } from './support/accessibility.ts';
import { createCastMember, sendMessage } from './support/cast.ts';
import { createGroupWith, renderSystemMessage, createThreePeople } from './support/groups.ts';
import { setUpJourney, getUrlWithoutServiceWorker } from './support/journey.ts';
import { aSmallPicture } from './support/pictures.ts';
import { waitForPath, waitUntilHidden, waitUntilVisible } from './support/waitFor.ts';
import { en, enGroups } from './support/words.ts';

const { story, openPage, url } = setUpJourney(getUrlWithoutServiceWorker);

story('a group opens from the meetings screen, and its members and picture change', async () => {
  const { ada, ben, cleo } = await createThreePeople(url());
  const others = await Promise.all(
    Array.from({ length: 11 }, (_, n) => createCastMember(url(), `Member ${n + 1} Many`)),
  );
  await openToGroups(...others.map(({ user }) => user));
  const group = await createGroupWith(ada, 'Sunday hikers', [ben, ...others]);
  await sendMessage(ben, group.id, 'Nine at the gate');
  const { page } = await openPage({ as: ada.user, path: '/meetings' });
  await waitUntilVisible(new MeetingsPage(page).heading);
  const section = page.getByRole('region', { name: enGroups.list.title });
  await section.getByRole('link', { name: /Sunday hikers/ }).click();
  await waitForPath(page, `/group-chat/${group.id}`);

  const view = new GroupPage(page, 'Sunday hikers');
  await view.action(enGroups.details.addMembers);
  const adding = view.dialog(enGroups.details.addMembers);
  await waitUntilVisible(adding.getByRole('checkbox', { name: cleo.name }));
  // People who are already members are not offered.
  await waitUntilHidden(adding.getByRole('checkbox', { name: ben.name }));
  await adding.getByRole('checkbox', { name: cleo.name }).check();
  await adding.getByRole('button', { name: enGroups.details.add, exact: true }).click();
  await waitUntilVisible(
    view.systemMessage(renderSystemMessage('member_added', 'byYou', { people: cleo.name })),
    view.count(14),
  );
  const search = view.members.getByRole('searchbox', { name: enGroups.details.searchMembers });
  await search.fill('member 7');
  await waitUntilVisible(view.member('Member 7 Many'));
  await waitUntilHidden(view.member(ben.name));
  await search.fill('');

  const row = new ChatsPage(page).row('Sunday hikers');
  expect(await row.locator('img').count()).toBe(0);
  await page
    .getByTestId('picture-input')
    .setInputFiles({ name: 'hills.png', mimeType: 'image/png', buffer: aSmallPicture() });
  await view.dialog(enGroups.details.picture).getByRole('button', { name: en.profile.usePicture }).click();
  await new Toasts(page).expectShown(enGroups.details.pictureChanged);
  await waitUntilVisible(row.locator('img'), view.systemMessage(renderSystemMessage('picture_changed', 'byYou')));
  await waitUntilHidden(new Toasts(page).shown);

  // Checks that these places have no accessibility problems.
  const found: string[] = [];
  const checkScreen = async (screen: string): Promise<void> => {
    for (const colorScheme of ['light', 'dark'] as const) {
      found.push(...(await findAxeIssues(page, `${screen}, ${colorScheme}`, colorScheme)));
    }
  };
  await waitUntilVisible(view.member(ben.name), view.message('Nine at the gate'));
  await checkScreen('group with details');
  for (const [label, name] of [
    [enGroups.details.addMembers, enGroups.details.addMembers],
    [enGroups.details.roomCode, enGroups.code.title],
    [enGroups.details.editGroup, enGroups.form.editTitle],
    [enGroups.details.settings, enGroups.details.settings],
  ] as const) {
    await view.action(label);
    await waitUntilVisible(view.dialog(name));
    await checkScreen(name);
    await page.keyboard.press('Escape');
    await waitUntilHidden(view.dialog(name));
  }
  const dialogs = new GroupDialogs(page);
  for (const [kind, dialog] of [
    ['create', dialogs.creating],
    ['createChat', dialogs.creatingRoom],
    ['joinChat', dialogs.joining],
  ] as const) {
    await dialogs.open(kind);
    await waitUntilVisible(dialog);
    await checkScreen(kind);
    await page.keyboard.press('Escape');
    await waitUntilHidden(dialog);
  }
  expect(found).toEqual([]);
});
