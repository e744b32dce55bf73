import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { MeetingRoomPage } from './pages/MeetingRoomPage.ts';
import { MeetingsPage } from './pages/MeetingsPage.ts';
import { findSeriousAxeIssues } from './support/accessibility.ts';
import { createCastMember } from './support/cast.ts';
import { setUpJourney, type OpenPageOptions } from './support/journey.ts';
import { waitUntilMoving } from './support/motion.ts';
import { startOwnGateway } from './support/ownGateway.ts';
import { waitUntilVisible, waitForExpectation } from './support/waitFor.ts';
import { createSegmentationModel } from './support/segmentationModel.ts';
import { measureSharpness } from './support/sharpness.ts';
import { enMeeting } from './support/words.ts';

const folder = mkdtempSync(join(tmpdir(), 'nolo-model-'));
// The shared gateways have no model.
const own = startOwnGateway(() => {
  const modelFile = join(folder, 'segmenter.tflite');
  writeFileSync(modelFile, createSegmentationModel());
  return { env: { BACKGROUND_MODEL_FILE: modelFile } };
});
const { story, openPage, url } = setUpJourney(own.url);

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** Clock that makes everything look fast. Another test covers slow machines. */
const quickMachine = `{
  const { now } = Performance.prototype;
  Performance.prototype.now = function () {
    return now.call(this) / 100;
  };
}`;

const blurSwitch = (page: Page) => page.getByRole('switch', { name: enMeeting.ready.backgroundBlur });

/** Waits until a picture has lost most of its edges. The test camera shows nobody, so everything is background. */
async function blurs(video: Locator, sharp: number): Promise<void> {
  const alerts = video.page().getByRole('alert').or(video.page().getByRole('status'));
  await waitForExpectation(async () => {
    // A camera that was turned off shows the reason.
    const alertTexts = (await alerts.allInnerTexts()).filter((text) => text !== '');
    const now = (await video.count()) > 0 ? await measureSharpness(video) : 'no picture';
    expect({ now, alertTexts, blurred: now !== 'no picture' && now > 0 && now < sharp * 0.4 }).toMatchObject({
      blurred: true,
    });
  });
}

async function sharpens(video: Locator, sharp: number): Promise<void> {
  await waitForExpectation(async () => expect(await measureSharpness(video)).toBeGreaterThan(sharp * 0.6));
}

/** Opens the pre-join page of a new meeting, with the user's own preview. A script may change the browser first. */
async function openPreJoin(script?: string, options: OpenPageOptions = {}) {
  const ada = await createCastMember(url(), 'Ada Adams');
  const { context, page, go, violations } = await openPage({ as: ada.user, path: '/meetings', ...options });
  const code = await new MeetingsPage(page).create('With a view');
  if (script !== undefined) await context.addInitScript(script);
  await go(`/meeting/${code}`);
  const roomPage = new MeetingRoomPage(page);
  await waitUntilMoving(roomPage.preview, { frames: 2 });
  return { ada, context, page, go, violations, code, roomPage, sharp: await measureSharpness(roomPage.preview) };
}

story('the background is blurred from the first frame, also next time, and sharp once switched off', async () => {
  const { ada, page, go, code, roomPage, sharp, violations } = await openPreJoin(quickMachine, { installs: true });
  await blurSwitch(page).click();
  await blurs(roomPage.preview, sharp);
  expect(await findSeriousAxeIssues(page, 'the pre-join page with blur', 'light')).toEqual([]);

  // Remembered: even the first picture has no edges.
  await go(`/meeting/${code}`);
  let first = 0;
  await waitForExpectation(async () => expect((first = await measureSharpness(roomPage.preview))).toBeGreaterThan(0));
  expect(first).toBeLessThan(sharp * 0.4);

  await roomPage.joinNow.click();
  await waitUntilVisible(roomPage.room);
  // The background is visible again after she turns blur off.
  await blurs(roomPage.video(ada.name), sharp);
  await roomPage.openDevices();
  await blurSwitch(page).setChecked(false);
  await page.keyboard.press('Escape');
  await sharpens(roomPage.video(ada.name), sharp);
  expect(violations).toEqual([]);
});

story('someone who asked for blur stays hidden where blur is unavailable', async () => {
  const { context, page, go, code, roomPage } = await openPreJoin(quickMachine, { installs: false });
  await context.route('**/models/*', (route) => route.abort());
  await blurSwitch(page).click();
  const why = page.getByRole('alert').filter({ hasText: enMeeting.problem.unblurredCamera });
  await waitUntilVisible(why);
  expect(await roomPage.preview.count()).toBe(0);
  expect(await findSeriousAxeIssues(page, 'the pre-join page without blur', 'light')).toEqual([]);

  // The next page load shows the reason again, and no preview.
  await go(`/meeting/${code}`);
  await waitUntilVisible(why);
  expect(await roomPage.preview.count()).toBe(0);
});

story('browsers without streams of frames blur through a canvas', async () => {
  const { page, roomPage, sharp } = await openPreJoin(
    `${quickMachine} delete globalThis.MediaStreamTrackProcessor; delete globalThis.MediaStreamTrackGenerator;`,
  );
  await blurSwitch(page).click();
  await blurs(roomPage.preview, sharp);
  await waitUntilMoving(roomPage.preview, { frames: 3 });
  await blurSwitch(page).setChecked(false);
  await sharpens(roomPage.preview, sharp);
});
