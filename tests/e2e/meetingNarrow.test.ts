import type { Page } from 'playwright-core';
import { newcomer } from './support/cast.ts';
import { journey } from './support/journey.ts';
import { slowCamera } from './support/motion.ts';
import { overflow } from './support/overflow.ts';
import { see } from './support/see.ts';

const { story, visit, url } = journey(undefined, () => slowCamera);

/** A phone, and a desktop whose page is enlarged to twice its size. */
const screens = { phone: { width: 390, height: 844 }, enlarged: { width: 720, height: 450 } } as const;

/** Words are in another language here, so everything is found by what it is. */
const menuItem = (page: Page, icon: string) =>
  page.getByRole('menuitem').filter({ has: page.locator(`svg.lucide-${icon}`) });

for (const language of ['de-x-pseudo', 'ar-x-pseudo'] as const) {
  story(
    `no screen of a meeting sticks out at the side in ${language}`,
    async () => {
      const [ada, ben] = await Promise.all([
        newcomer(url(), 'Ada Adams'),
        newcomer(url(), 'Benjamin Featherstonehaugh-Cholmondeley'),
      ]);
      const made = await ada.user.api.post('/api/meetings/create', {
        name: 'The quarterly planning session of everybody who has anything to do with it',
        settings: { waitingRoom: true, allowRecording: true },
      });
      const code = String((made.body as { roomCode: string }).roomCode);
      const address = `/meeting/${code}?lang=${language}`;
      const found: string[] = [];
      const hosts = await visit({ as: ada.user, path: address });
      const look = async (what: string, { page } = hosts) => {
        for (const [screen, viewport] of Object.entries(screens)) {
          await page.setViewportSize(viewport);
          // The layout follows with the next picture that is drawn.
          await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
          found.push(...(await overflow(page)).map((one) => `${what}, ${screen}: ${one}`));
        }
      };
      const { page } = hosts;
      await see(page.getByTestId('meeting-prejoin'));
      expect(await page.evaluate('document.documentElement.lang')).toBe(language);
      await look('the door');
      await page.locator('button[type=submit]').click();
      await see(page.getByTestId('meeting-room'));
      await look('alone');

      const bens = await visit({ as: ben.user, path: `${address}&type=voice` });
      await bens.page.locator('button[type=submit]').click();
      await see(bens.page.getByTestId('meeting-waiting'));
      await look('the lobby', bens);
      await see(page.getByRole('status').getByRole('button'));
      await look('somebody knocks');
      await page.getByTestId('open-people').click();
      await see(page.getByRole('complementary'));
      await look('the people');
      await page.getByRole('status').getByRole('button').last().click();
      await see(bens.page.getByTestId('meeting-room'));
      await page.keyboard.press('Escape');

      await page.getByTestId('control-more').click();
      await see(page.getByRole('menu'));
      await look('the menu');
      await menuItem(page, 'settings-2').click();
      await see(page.getByRole('dialog'));
      await look('the devices');
      await page.keyboard.press('Escape');
      await page.getByTestId('control-more').click();
      await menuItem(page, 'circle').click();
      await see(page.getByRole('alertdialog'));
      await look('before a recording');
      await page.evaluate('delete globalThis.showSaveFilePicker');
      await page.getByRole('alertdialog').getByRole('button').last().click();
      await see(page.getByTestId('recording'));
      await look('recording');
      await see(bens.page.getByRole('alertdialog'));
      await look('who is recorded', bens);
      await bens.page.getByRole('alertdialog').getByRole('button').last().click();
      await page.getByTestId('recording').getByRole('button').click();
      await see(page.getByRole('alertdialog').getByText(/\.webm$/));
      await look('a recording that is ready');
      expect(found).toEqual([]);
    },
    180_000,
  );
}
