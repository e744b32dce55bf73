import { converse } from '@nolo/testing';
import type { Page } from 'playwright-core';
import { ConversationPage } from './pages/ConversationPage.ts';
import { GroupPage } from './pages/GroupPage.ts';
import { Toasts } from './pages/Toasts.ts';
import { sendMessage } from './support/cast.ts';
import { createGroupWith, createThreePeople } from './support/groups.ts';
import { setUpJourney, getUrlWithoutServiceWorker } from './support/journey.ts';
import { deviceOpener, findVerifiedMark, openNumber } from './support/keys.ts';
import { waitForExpectation, waitUntilHidden, waitUntilVisible } from './support/waitFor.ts';
import { en, fillPlaceholders } from './support/words.ts';

const journey = setUpJourney(getUrlWithoutServiceWorker);
const { story, url } = journey;
const openDevices = deviceOpener(journey);
const words = en.keys;

/** Opens the number in the conversation's details and marks the person as verified. */
async function verify(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: en.conversation.info }).click();
  await openNumber(page, name);
  await page.getByRole('button', { name: words.verify.mark }).click();
  await new Toasts(page).expectShown(fillPlaceholders(words.verify.marked, { name }));
  await waitUntilVisible(findVerifiedMark(page));
}

story(
  'friends who lost all devices start over: you see it in chat and group, accept it once, and verify again',
  async () => {
    const { ada, ben, cleo } = await createThreePeople(url());
    const group = await createGroupWith(ada, 'Hikers', [ben, cleo]);
    const { name } = ben;
    const id = (await converse(ada.user, ben.user)).id as string;
    await sendMessage(ben, id, 'Before');
    await sendMessage(ben, group.id, 'To all');
    const { page, devices, go } = await openDevices(ada);
    await devices.waitForKeys();
    const lost = await openDevices(ben);
    await lost.devices.waitForKeys();
    const [direct, hikers] = [new ConversationPage(page, name), new GroupPage(page, 'Hikers')];
    await go(`/chat/${id}`);
    await verify(page, name);

    // Ben has neither his browser nor recovery words.
    await lost.close();
    const { devices: bens } = await openDevices(ben);
    await bens.startOver();

    const line = page.getByText(fillPlaceholders(words.changed.textVerified, { name }));
    await go(`/chat/${id}`);
    await waitUntilVisible(direct.message('Before'), line);
    await waitUntilHidden(findVerifiedMark(page));
    await go(`/chat/${group.id}`);
    await waitUntilVisible(hikers.message('To all'));
    const box = () => hikers.message('To all').boundingBox();
    const before = await box();
    await waitUntilVisible(line);
    // The line moves no message.
    expect(await box()).toEqual(before);
    expect(await line.count()).toBe(1);
    await page.getByRole('button', { name: words.changed.accept, exact: true }).click();
    await new Toasts(page).expectShown(words.changed.accepted);
    await waitUntilHidden(line);

    await go(`/chat/${id}`);
    await waitUntilVisible(direct.message('Before'));
    await page.getByRole('button', { name: en.conversation.info }).click();
    await waitUntilVisible(page.getByText(fillPlaceholders(words.verify.stateKnown, { name })));
    await waitForExpectation(async () =>
      expect([await line.count(), await findVerifiedMark(page).count()]).toEqual([0, 0]),
    );
    await go(`/chat/${id}`);
    await verify(page, name);
    await waitUntilHidden(line);
  },
);
