import type { Locator, Page } from 'playwright-core';
import { findSeriousAxeIssues } from './support/accessibility.ts';
import { createCastMember } from './support/cast.ts';
import { setUpJourney, getUrlWithoutServiceWorker } from './support/journey.ts';
import { findOverflow } from './support/findOverflow.ts';
import { waitUntilStill, waitUntilHidden, waitUntilVisible, waitForHistory } from './support/waitFor.ts';

const { story, openPage, url } = setUpJourney(getUrlWithoutServiceWorker);

/** A phone, and a desktop whose page is enlarged to twice its size. */
const screens = { phone: { width: 390, height: 844 }, enlarged: { width: 720, height: 450 } } as const;

/** Texts are in another language here, so elements are found by their icons. */
const menuItem = (page: Page, icon: string) =>
  page.getByRole('menuitem').filter({ has: page.locator(`svg.lucide-${icon}`) });
const controls = (page: Page) =>
  ['microphone', 'camera', 'hand', 'reactions', 'more', 'leave'].map((name) => page.getByTestId(`control-${name}`));

const language = 'de';

story('no meeting screen overflows sideways, hides a control or has a serious issue, in German as well', async () => {
  const [ada, ben] = await Promise.all([
    createCastMember(url(), 'Ada Adams'),
    createCastMember(url(), 'Benjamin Featherstonehaugh-Cholmondeley'),
  ]);
  const { page } = await openPage({ as: ada.user, path: `/meetings?lang=${language}` });
  const issues: string[] = [];
  const judge = async (screen: string, seen = page) => {
    for (const colours of ['light', 'dark'] as const) {
      issues.push(...(await findSeriousAxeIssues(seen, `${screen}, ${colours}`, colours)));
    }
  };
  await waitUntilVisible(page.getByRole('heading', { level: 1 }).filter({ visible: true }));
  await judge('meetings without any');
  const made = await ada.user.api.post<{ roomCode: string }>('/api/meetings/create', {
    name: 'The quarterly planning session of everybody who has anything to do with it',
    settings: { waitingRoom: true },
  });
  const address = `/meeting/${made.body.roomCode}?lang=${language}`;
  const found: string[] = [];
  await page.goto(address);
  /** Checks that nothing overflows and that these elements can be pressed where they are. */
  const checkScreen = async (what: string, reachable: readonly Locator[], seen = page) => {
    for (const [screen, viewport] of Object.entries(screens)) {
      await seen.setViewportSize(viewport);
      await waitUntilStill(seen);
      found.push(...(await findOverflow(seen)).map((one) => `${what}, ${screen}: ${one}`));
      for (const control of reachable) await control.click({ trial: true });
    }
  };
  const submit = page.locator('button[type=submit]');
  const panel = page.getByRole('complementary');
  const closePanel = panel.locator('header').getByRole('button');
  const header = [page.getByTestId('open-people'), page.getByTestId('open-chat')];

  await waitUntilVisible(page.getByTestId('meeting-prejoin'));
  expect(await page.evaluate('document.documentElement.lang')).toBe(language);
  await checkScreen('the pre-join page', [submit, page.getByRole('combobox').last()]);
  await judge('the pre-join page');
  await submit.click();
  await waitUntilVisible(page.getByTestId('meeting-room'));
  await checkScreen('alone', [...controls(page), ...header]);
  await judge('alone in the room');

  // A person who asks to join is visible everywhere: over the stage, over the chat, and in the list of people.
  const bens = await openPage({ as: ben.user, path: `${address}&type=voice` });
  await bens.page.locator('button[type=submit]').click();
  const waiting = bens.page.getByTestId('meeting-waiting');
  await waitUntilVisible(waiting);
  await checkScreen('the lobby', [waiting.getByRole('button')], bens.page);
  await judge('the lobby', bens.page);
  const lobbyNoticeButtons = page.getByRole('status').filter({ hasText: ben.name }).getByRole('button');
  await waitUntilVisible(lobbyNoticeButtons);
  await checkScreen('somebody waits', [...controls(page), lobbyNoticeButtons.first(), lobbyNoticeButtons.last()]);
  await page.getByTestId('open-chat').click();
  const writing = panel.getByRole('textbox');
  await waitUntilVisible(writing);
  await checkScreen('the chat while somebody waits', [
    writing,
    closePanel,
    lobbyNoticeButtons.first(),
    lobbyNoticeButtons.last(),
  ]);
  await writing.fill('Word after word. '.repeat(20));
  await writing.press('Enter');
  await waitUntilVisible(panel.getByRole('article'));
  await checkScreen('the chat', [writing, closePanel]);
  await lobbyNoticeButtons.first().click();
  const lobby = panel.getByTestId('lobby').getByRole('button');
  await waitUntilVisible(lobby);
  await checkScreen('the people', [closePanel, lobby.first(), lobby.last()]);
  await judge('the people');
  await lobby.last().click();
  await waitUntilVisible(bens.page.getByTestId('meeting-room'));
  const persons = panel.getByTestId('people').getByRole('button');
  await waitUntilVisible(persons.nth(1));
  await checkScreen('two people', [closePanel, persons.first(), persons.last()]);
  // The last pressed element is gone, but Escape still closes the panel.
  await page.keyboard.press('Escape');
  await waitUntilHidden(panel);
  await checkScreen('two in the room', [...controls(page), ...header]);
  await checkScreen('two in the room, for who was let in', controls(bens.page), bens.page);
  await judge('the room', bens.page);

  await page.getByTestId('control-more').click();
  await waitUntilVisible(page.getByRole('menu'));
  await checkScreen('the menu', [page.getByRole('menuitem').first(), page.getByRole('menuitem').last()]);
  await menuItem(page, 'settings-2').click();
  const dialog = page.getByRole('dialog');
  await waitUntilVisible(dialog);
  await checkScreen('the devices', [dialog.getByRole('button').last(), dialog.getByRole('combobox').last()]);
  await page.keyboard.press('Escape');
  await waitUntilHidden(dialog);
  await waitForHistory(page);
  await page.goto(`/meetings?lang=${language}`);
  await waitUntilVisible(page.getByRole('article'));
  await judge('meetings');
  expect({ found, issues }).toEqual({ found: [], issues: [] });
});
