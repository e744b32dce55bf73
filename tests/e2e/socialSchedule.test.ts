import type { Locator, Page } from 'playwright-core';
import { simulatedBlueskyAppPassword } from '../support/clients/socialPlatforms.ts';
import { findSeriousAxeIssues } from './support/accessibility.ts';
import { befriend, createCastMember, type CastMember } from './support/cast.ts';
import { setUpJourney, getUrlWithoutServiceWorker } from './support/journey.ts';
import { waitUntilVisible, waitForExpectation } from './support/waitFor.ts';
import { enGroup, enMessages, enShare, enSocial, fillPlaceholders } from './support/words.ts';

const { story, openPage, url } = setUpJourney(getUrlWithoutServiceWorker);
const handle = 'example.bsky.social';
const timeZone = 'Europe/Berlin';

async function withBluesky(name: string): Promise<CastMember> {
  const actor = await createCastMember(url(), name);
  const body = { handle, appPassword: simulatedBlueskyAppPassword };
  expect((await actor.user.api.post('/api/social/connect/bluesky', body)).status).toBe(200);
  return actor;
}

/** Returns a day of next month, as seen in `timeZone`. */
function nextMonth(day: number): string {
  const [year = 0, month = 0] = new Date().toLocaleDateString('sv-SE', { timeZone }).split('-').map(Number);
  return new Date(Date.UTC(year, month, day)).toISOString().slice(0, 10);
}

async function schedule({ user }: CastMember, content: string, scheduledAt: string): Promise<void> {
  const body = { content, platforms: ['bluesky'], scheduledAt, timeZone };
  expect((await user.api.post('/api/social/posts', body)).status).toBe(201);
}

const chip = (page: Page, text: string) => page.locator('[data-slot]').getByRole('button', { name: new RegExp(text) });
const cell = (page: Page, slot: string) => page.locator(`[data-slot="${slot}"]`);

/** Drags as a hand does: press, move on the way, release. */
async function drag(page: Page, thing: Locator, target: Locator): Promise<void> {
  await thing.hover();
  await page.mouse.down();
  const { x, y, width, height } = (await target.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  await page.mouse.move(x + width / 2, y + height / 2, { steps: 8 });
  await waitUntilVisible(target.and(page.locator('.bg-accent-subtle')));
  await page.mouse.up();
}

story('a post is moved to another day and hour, by mouse and by keyboard, and edited from the calendar', async () => {
  const ada = await withBluesky('Ada Adams');
  await schedule(ada, 'At the sea', `${nextMonth(10)}T09:30`);
  await schedule(ada, 'By the harbour', `${nextMonth(11)}T14:00`);
  for (const hour of [10, 11, 12, 13]) await schedule(ada, `Busy at ${hour}`, `${nextMonth(16)}T${hour}:00`);
  const { page } = await openPage({ as: ada.user, path: '/schedule', timezoneId: timeZone });
  await page.getByText(enSocial.views.month, { exact: true }).click();
  await page.getByRole('button', { name: enSocial.calendar.monthAfter }).click();
  await waitUntilVisible(cell(page, nextMonth(10)).getByText('At the sea'));
  expect(await findSeriousAxeIssues(page, 'a month of posts', 'light')).toEqual([]);
  expect(await findSeriousAxeIssues(page, 'a month of posts', 'dark')).toEqual([]);

  await drag(page, chip(page, 'At the sea'), cell(page, nextMonth(18)));
  await waitUntilVisible(cell(page, nextMonth(18)).getByText('At the sea'));
  await page.getByRole('button', { name: enSocial.calendar.undo }).click();
  await waitUntilVisible(cell(page, nextMonth(10)).getByText('At the sea'));

  // Moves a week down and a day on; screen readers get announcements.
  await chip(page, 'By the harbour').focus();
  await page.keyboard.press('Space');
  await waitUntilVisible(cell(page, nextMonth(11)).and(page.locator('.bg-accent-subtle')));
  for (const key of ['ArrowDown', 'ArrowRight']) await page.keyboard.press(key);
  await waitUntilVisible(cell(page, nextMonth(19)).and(page.locator('.bg-accent-subtle')));
  await waitForExpectation(async () => {
    const liveRegionTexts = await page.locator('[aria-live="assertive"]').allTextContents();
    expect(liveRegionTexts.join()).toMatch(/Over \w+,? 19 /);
  });
  await page.keyboard.press('Space');
  await waitUntilVisible(cell(page, nextMonth(19)).getByText('By the harbour'));

  // Posts beyond what a day has room for are listed with all their actions.
  await cell(page, nextMonth(16))
    .getByRole('button', { name: fillPlaceholders(enSocial.calendar.more_other, { count: 2 }) })
    .click();
  const opened = page.getByRole('dialog');
  await waitUntilVisible(opened.getByRole('article', { name: 'Busy at 13' }));
  await opened.getByRole('article', { name: 'Busy at 13' }).getByRole('button').click();
  await page.getByRole('menuitem', { name: enSocial.menu.edit }).click();
  const editing = page.getByRole('dialog', { name: enSocial.compose.editTitle });
  await editing.getByRole('textbox', { name: enSocial.compose.content }).fill('Quiet after all');
  await editing.getByLabel(enSocial.compose.date).fill(nextMonth(18));
  await editing.getByRole('button', { name: enSocial.compose.submitEdit, exact: true }).click();
  await waitUntilVisible(cell(page, nextMonth(18)).getByText('Quiet after all'));

  // If a post is published meanwhile, its author is notified on any page.
  const soonAt = new Date(Date.now() + 2_000).toISOString();
  await schedule(ada, 'Out in a moment', soonAt);
  await waitUntilVisible(page.getByText(enSocial.outcomes.published, { exact: true }));

  // The view is remembered, and a week has hours.
  await page.reload();
  await page.getByText(enSocial.views.week, { exact: true }).click();
  await waitUntilVisible(cell(page, `${new Date().toLocaleDateString('sv-SE', { timeZone })}T12`));
  expect(await page.locator('[data-slot$="T12"]').count()).toBe(7);
});

story('a group is shared with its code from its header, and free text from the header of a chat', async () => {
  const ada = await withBluesky('Ada Adams');
  const made = await ada.user.api.post('/api/group-chats/create', { name: 'Sea swimmers', isPublic: true });
  expect(made.status).toBe(201);
  const { id, roomCode } = made.body as { id: string; roomCode: string };
  const { page } = await openPage({ as: ada.user, path: `/group-chat/${id}` });
  await page.getByRole('button', { name: fillPlaceholders(enGroup.shareOf, { name: 'Sea swimmers' }) }).click();
  await page.getByRole('button', { name: enShare.social }).click();
  const dialog = page.getByRole('dialog', { name: enSocial.compose.meetingTitle });
  await dialog.getByRole('checkbox', { name: /^Bluesky/ }).check();
  const text = dialog.getByRole('textbox', { name: enSocial.compose.content });
  await waitForExpectation(async () => expect(await text.inputValue()).toContain(roomCode));
  expect(await findSeriousAxeIssues(page, 'a group that is shared', 'dark')).toEqual([]);
  await dialog.getByRole('button', { name: enSocial.compose.submitNow, exact: true }).click();
  await waitUntilVisible(page.getByText(enSocial.compose.groupShared, { exact: true }));
  await dialog.getByRole('button', { name: enSocial.compose.done, exact: true }).click();

  const ben = await createCastMember(url(), 'Ben Botha');
  await page.goto(`/chat/${await befriend(ada, ben)}`);
  await page.getByRole('button', { name: enMessages.social }).click();
  await dialog.getByRole('textbox', { name: enSocial.compose.content }).fill('Straight from a chat');
  await waitUntilVisible(dialog.getByRole('button', { name: enSocial.compose.submitNow, exact: true }));
});
