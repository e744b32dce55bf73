import type { GroupChat } from '@nolo/api';
import { eventually, launchChromium, openToGroups, randomPhone, signUpByPhone, type TestUser } from '@nolo/testing';
import type { BrowserContext } from 'playwright-core';
import { readOpenedText } from '../../e2e/support/browserStores.ts';
import { GroupPage } from '../../e2e/pages/GroupPage.ts';
import { waitUntilVisible } from '../../e2e/support/waitFor.ts';
import { requireSuccess } from '../../support/clients/requireSuccess.ts';
import { startFirstDevice } from '../../support/clients/sealedDevices.ts';
import { compareReaders, openBrowser, readDevice, waitMs, type TabStage } from './browserPeople.ts';

const groupName = 'Tide tables';
const before = ['Low at nine', 'High at three'];
const after = ['Two of us now', 'The keys are under the mat', 'Nobody else knows'];

/** Gives a browser each answer about conversations and the group's epochs as a member gets it. Returns what it gave. */
async function leakAnswers(context: BrowserContext, member: TestUser, group: string, ids: readonly string[]) {
  const leaked = new Set<string>();
  await context.route(new RegExp(`/api/(conversations|group-chats|groups|epochs/${group})`, 'u'), async (route) => {
    const headers = { ...route.request().headers(), cookie: `nolo_session=${member.api.token ?? ''}` };
    const response = await route.fetch({ headers }).catch(() => undefined);
    if (response === undefined) return await route.abort().catch(() => undefined);
    const body = await response.text();
    for (const id of ids) if (body.includes(id)) leaked.add(id);
    if (route.request().url().includes(`/api/epochs/${group}`) && response.ok()) leaked.add('epochs');
    await route.fulfill({ response, body }).catch(() => undefined);
  });
  return leaked;
}

/**
 * Removes a member whose browser keeps all that it had. Then the server gives that browser everything that the others
 * get: headers, boxes, and rows. Nothing of what follows the removal may open there.
 */
export async function removedMember({ url }: TabStage): Promise<string[]> {
  const [ann, ben] = await Promise.all(
    ['Ann Adams', 'Ben Botha'].map(async (name) => startFirstDevice(await signUpByPhone(url, randomPhone(), name))),
  );
  const cleo = await signUpByPhone(url, randomPhone(), 'Cleo Cele');
  const browser = await launchChromium();
  try {
    const { context, page, devices } = await openBrowser(browser, url, cleo);
    await devices.waitForKeys();
    await openToGroups(ben!.user, cleo);
    const body = { name: groupName, memberIds: [ben!.user.id, cleo.id] };
    const made = await ann!.user.api.post<GroupChat>('/api/groups', body);
    const { id } = requireSuccess(made, 'A group').body;
    for (const device of [ann!, ben!]) await device.chats.open(id);
    await page.goto(`/group-chat/${id}`);
    const cleos = new GroupPage(page, groupName);
    for (const text of before) await ann!.send(id, text);
    await waitUntilVisible(...before.map((text) => cleos.message(text)));

    const removal = await ann!.user.api.delete(`/api/group-chats/${id}/members/${cleo.id}`);
    requireSuccess(removal, 'The removal');
    for (const text of after) await ann!.send(id, text);
    const rows = after.map((text) => ann!.find(id, text).id);
    const leaked = await leakAnswers(context, ben!.user, id, rows);
    await page.goto(`/group-chat/${id}`);
    await eventually(() => rows.every((row) => leaked.has(row)), { timeoutMs: waitMs });
    await waitUntilVisible(...before.map((text) => cleos.message(text)));
    // The rows are on the device now, whether they opened or not.
    await eventually(
      async () => {
        const stored = await readOpenedText(page);
        return rows.every((row) => stored.includes(row));
      },
      { timeoutMs: waitMs },
    );
    await page.reload();
    await waitUntilVisible(...before.map((text) => cleos.message(text)));
    const seen = `${await page.locator('body').innerText()} ${await readOpenedText(page)}`;
    const opened = after.filter((text) => seen.includes(text));
    const blind = before.filter((text) => !seen.includes(text));
    const others = { Ann: () => readDevice(ann!, id), Ben: () => readDevice(ben!, id) };
    return [
      ...opened.map((text) => `the removed member opened "${text}"`),
      ...blind.map((text) => `the removed member, who read "${text}", does not show it, so this proves nothing`),
      ...(await compareReaders(
        `removedMember, given ${rows.length} rows${leaked.has('epochs') ? ' and the epochs' : ''}, ${opened.length} opened`,
        [...before, ...after],
        others,
      )),
    ];
  } finally {
    await browser.close();
    for (const device of [ann!, ben!]) device.remove();
  }
}
