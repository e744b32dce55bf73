import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { MeetingRoomPage } from './pages/MeetingRoomPage.ts';
import { MeetingsPage } from './pages/MeetingsPage.ts';
import { seriousIssues } from './support/accessibility.ts';
import { newcomer } from './support/cast.ts';
import { journey, type VisitOptions } from './support/journey.ts';
import { moves } from './support/motion.ts';
import { ownGateway } from './support/ownGateway.ts';
import { see, soon } from './support/see.ts';
import { segmentationModel } from './support/segmentationModel.ts';
import { sharpnessOf } from './support/sharpness.ts';
import { enMeeting } from './support/words.ts';

const folder = mkdtempSync(join(tmpdir(), 'nolo-model-'));
// The shared gateways have no model.
const own = ownGateway(() => {
  const modelFile = join(folder, 'segmenter.tflite');
  writeFileSync(modelFile, segmentationModel());
  return { env: { BACKGROUND_MODEL_FILE: modelFile } };
});
const { story, visit, url } = journey(own.url);

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
  const said = video.page().getByRole('alert').or(video.page().getByRole('status'));
  await soon(async () => {
    // A camera that was turned off shows the reason.
    const told = (await said.allInnerTexts()).filter((text) => text !== '');
    const now = (await video.count()) > 0 ? await sharpnessOf(video) : 'no picture';
    expect({ now, told, blurred: now !== 'no picture' && now > 0 && now < sharp * 0.4 }).toMatchObject({
      blurred: true,
    });
  });
}

async function sharpens(video: Locator, sharp: number): Promise<void> {
  await soon(async () => expect(await sharpnessOf(video)).toBeGreaterThan(sharp * 0.6));
}

/** Opens the pre-join page of a new meeting, with the user's own preview. A script may change the browser first. */
async function atTheDoor(script?: string, options: VisitOptions = {}) {
  const ada = await newcomer(url(), 'Ada Adams');
  const { context, page, go, violations } = await visit({ as: ada.user, path: '/meetings', ...options });
  const code = await new MeetingsPage(page).create('With a view');
  if (script !== undefined) await context.addInitScript(script);
  await go(`/meeting/${code}`);
  const door = new MeetingRoomPage(page);
  await moves(door.preview, { frames: 2 });
  return { ada, context, page, go, violations, code, door, sharp: await sharpnessOf(door.preview) };
}

story(
  'the background is blurred before anybody sees it, the next time too, and not any more when one says so',
  async () => {
    const { ada, page, go, code, door, sharp, violations } = await atTheDoor(quickMachine, { installs: true });
    await blurSwitch(page).click();
    await blurs(door.preview, sharp);
    expect(await seriousIssues(page, 'the door with blur', 'light')).toEqual([]);

    // Remembered: even the first picture has no edges.
    await go(`/meeting/${code}`);
    let first = 0;
    await soon(async () => expect((first = await sharpnessOf(door.preview))).toBeGreaterThan(0));
    expect(first).toBeLessThan(sharp * 0.4);

    await door.joinNow.click();
    await see(door.room);
    // The background is visible again after she turns blur off.
    await blurs(door.video(ada.name), sharp);
    await door.openDevices();
    await blurSwitch(page).setChecked(false);
    await page.keyboard.press('Escape');
    await sharpens(door.video(ada.name), sharp);
    expect(violations).toEqual([]);
  },
);

story('who asked for blur is not seen where it cannot be had', async () => {
  const { context, page, go, code, door } = await atTheDoor(quickMachine, { installs: false });
  await context.route('**/models/*', (route) => route.abort());
  await blurSwitch(page).click();
  const why = page.getByRole('alert').filter({ hasText: enMeeting.problem.unblurredCamera });
  await see(why);
  expect(await door.preview.count()).toBe(0);
  expect(await seriousIssues(page, 'the door without blur', 'light')).toEqual([]);

  // The next page load shows the reason again, and no preview.
  await go(`/meeting/${code}`);
  await see(why);
  expect(await door.preview.count()).toBe(0);
});

story('browsers without streams of frames blur by way of a canvas', async () => {
  const { page, door, sharp } = await atTheDoor(
    `${quickMachine} delete globalThis.MediaStreamTrackProcessor; delete globalThis.MediaStreamTrackGenerator;`,
  );
  await blurSwitch(page).click();
  await blurs(door.preview, sharp);
  await moves(door.preview, { frames: 3 });
  await blurSwitch(page).setChecked(false);
  await sharpens(door.preview, sharp);
});
