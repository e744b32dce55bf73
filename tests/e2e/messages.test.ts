import type { Message } from '@nolo/api';
import type { Locator, Page } from 'playwright-core';
import { ConversationPage } from './pages/ConversationPage.ts';
import { SearchPage } from './pages/SearchPage.ts';
import { Toasts } from './pages/Toasts.ts';
import { findAxeIssues } from './support/accessibility.ts';
import { readOpenedText } from './support/browserStores.ts';
import { befriend, createFriends, createCastMember, sendMessage } from './support/cast.ts';
import { setUpJourney, type BrowserUser } from './support/journey.ts';
import { waitForPath, waitUntilHidden, waitForFocus, waitUntilVisible, waitForExpectation } from './support/waitFor.ts';
import { en, enMessages, fillPlaceholders } from './support/words.ts';

const { story, openPage, url } = setUpJourney();

/** Opens the conversation on both sides, Ada on a desktop and Ben on a phone. */
async function talking(lines: readonly string[] = []) {
  const { ada, ben, id } = await createFriends(url(), lines);
  const [adas, bens] = await Promise.all([
    openPage({ as: ada.user, path: `/chat/${id}` }),
    openPage({ as: ben.user, path: `/chat/${id}`, device: 'phone' }),
  ]);
  return {
    ada,
    ben,
    id,
    adas,
    bens,
    desktop: new ConversationPage(adas.page, ben.name),
    phone: new ConversationPage(bens.page, ada.name),
  };
}

/** Swipes a message to the side with a finger. */
async function drawInwards({ context, page }: BrowserUser, message: Locator): Promise<void> {
  const bubble = message.locator('[data-bubble]');
  await waitUntilVisible(bubble);
  // A list that has just appeared ignores presses for a moment.
  await bubble.click({ trial: true });
  const box = (await bubble.boundingBox())!;
  const session = await context.newCDPSession(page);
  const y = box.y + box.height / 2;
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', x?: number) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints: x === undefined ? [] : [{ x, y }] });
  const from = box.x + 30;
  await touch('touchStart', from);
  for (const step of [20, 50, 80, 110]) await touch('touchMove', from + step);
  await touch('touchEnd');
}

story('reactions reach the other side and are counted, and any emoji is found by name, also for the text', async () => {
  const { adas, bens, desktop, phone } = await talking(['The light over the bay!', 'Look']);
  await waitUntilVisible(desktop.message('The light'), phone.message('The light'));
  // A swipe on a message starts a reply on a phone, and Escape returns to the composer.
  await drawInwards(bens, phone.message('The light'));
  await waitUntilVisible(bens.page.getByText(fillPlaceholders(enMessages.replyingTo, { name: phone.name })));
  await phone.composer.press('Escape');
  await waitUntilHidden(bens.page.getByText(fillPlaceholders(enMessages.replyingTo, { name: phone.name })));
  await desktop.react('The light', '👍');
  await waitUntilVisible(desktop.reaction('The light', '👍'), phone.reaction('The light', '👍'));
  await phone.reaction('The light', '👍').click();
  await waitForExpectation(async () => expect(await desktop.reaction('The light', '👍').innerText()).toContain('2'));
  // A second reaction replaces the first: each person has one.
  await desktop.react('The light', '❤️');
  await waitUntilVisible(phone.reaction('The light', '❤️'));
  await waitForExpectation(async () => expect(await phone.reaction('The light', '👍').innerText()).not.toContain('2'));
  expect(await desktop.reaction('The light', '❤️').getAttribute('aria-pressed')).toBe('true');
  await desktop.reaction('The light', '❤️').click();
  await waitUntilHidden(phone.reaction('The light', '❤️'));

  // Any other emoji, by its name.
  let deliver = (): void => undefined;
  const delivered = new Promise<void>((resolve) => (deliver = resolve));
  await adas.page.route(/\/assets\/emojiData-/, (route) => delivered.then(() => route.continue()));
  await desktop.openMenu('Look');
  await desktop.menu.getByRole('menuitem', { name: enMessages.moreReactions }).click();
  const picker = adas.page.getByRole('dialog', { name: enMessages.emoji.title });
  // A user who knows the name need not wait for the emoji, which load over the network.
  await adas.page.keyboard.type('octopu');
  deliver();
  await waitForFocus(picker.getByRole('searchbox'));
  await adas.page.keyboard.type('s');
  expect(await picker.getByRole('searchbox').inputValue()).toBe('octopus');
  await picker.getByRole('button', { name: 'octopus' }).click();
  await waitUntilVisible(phone.reaction('Look', '🐙'));

  await adas.page.getByRole('button', { name: enMessages.emoji.open }).click();
  await waitUntilVisible(picker);
  // Recent emoji are first, and the keyboard alone is enough.
  await waitUntilVisible(
    picker.getByRole('group', { name: enMessages.emoji.recent }).getByRole('button', { name: 'octopus' }),
  );
  await picker.getByRole('searchbox').fill('water wave');
  await picker.getByRole('searchbox').press('Enter');
  await adas.page.keyboard.press('Escape');
  await waitForFocus(desktop.composer);
  expect(await desktop.composer.inputValue()).toBe('🌊');

  // The picker is accessible in both color schemes.
  await adas.page.getByRole('button', { name: enMessages.emoji.open }).click();
  await waitUntilVisible(picker.getByRole('group', { name: enMessages.emoji.recent }));
  for (const colorScheme of ['light', 'dark'] as const) {
    expect(await findAxeIssues(adas.page, 'emoji picker', colorScheme)).toEqual([]);
  }
});

/** Read receipts are in a message's details. Disappearing messages are gone from both screens and devices. */
async function readAndGone({ adas, bens, desktop, phone }: Awaited<ReturnType<typeof talking>>): Promise<void> {
  await waitUntilVisible(desktop.message('two eggs'), phone.message('two eggs'));
  await desktop.openMenu('two eggs');
  await desktop.choose(en.conversation.details);
  const dialog = adas.page.getByRole('dialog', { name: en.conversation.detailsTitle });
  await waitUntilVisible(dialog.getByText(en.conversation.detailRead));
  await adas.page.keyboard.press('Escape');
  await waitUntilHidden(dialog);

  // Offline, a reply waits, and actions that cannot wait report that.
  await adas.context.setOffline(true);
  await desktop.react('two eggs', '👍');
  await new Toasts(adas.page).expectShown(enMessages.failed.react);
  await waitUntilHidden(desktop.reaction('two eggs', '👍'));
  await desktop.reply('two eggs', 'Always');
  await waitUntilVisible(desktop.quote('Always'));
  await adas.context.setOffline(false);
  await waitUntilVisible(phone.message('Always'), phone.quote('Always').getByText('two eggs'));

  await desktop.info.click();
  await adas.page.getByRole('combobox', { name: enMessages.timer.title }).selectOption('30');
  await waitUntilVisible(adas.page.getByRole('img', { name: /disappear/i }));
  await desktop.sendText('Burns after reading');
  await waitUntilVisible(phone.message('Burns after reading'));
  await waitUntilHidden(desktop.message('Burns after reading'), phone.message('Burns after reading'));
  for (const visitor of [adas, bens]) {
    await waitForExpectation(async () =>
      expect(await readOpenedText(visitor.page)).not.toContain('Burns after reading'),
    );
  }
  await waitUntilVisible(desktop.message('two eggs'));
}

story('pinned messages show under the header for both, starred ones are found, and text is forwarded', async () => {
  const scene = await talking(['Gate nine', 'Fine', 'The recipe: two eggs']);
  const { ada, adas, bens, id, desktop, phone } = scene;
  const cleo = await createCastMember(url(), 'Cleo Cele');
  const other = await befriend(ada, cleo);
  await sendMessage(cleo, other, 'Hello');
  await waitUntilVisible(desktop.message('Gate nine'));
  await desktop.openMenu('Gate nine');
  await desktop.choose(enMessages.pin);
  const banner = (page: Page) => page.getByRole('button', { name: /^Pinned message/ });
  await waitUntilVisible(
    banner(adas.page),
    banner(bens.page),
    phone.message('pinned a message').or(phone.messages.filter({ hasText: 'pinned' })),
  );
  await banner(bens.page).click();
  await waitUntilVisible(phone.message('Gate nine'));
  await adas.page.getByRole('button', { name: enMessages.pinned.showAll }).click();
  const dialog = adas.page.getByRole('dialog', { name: enMessages.pinned.title });
  await waitUntilVisible(dialog.getByText('Gate nine'));
  await dialog.getByRole('button', { name: enMessages.unpin }).click();
  await waitUntilVisible(dialog.getByText(enMessages.pinned.emptyText));
  await adas.page.keyboard.press('Escape');
  await waitUntilHidden(banner(adas.page), banner(bens.page));

  await waitUntilVisible(desktop.message('two eggs'));
  await desktop.openMenu('two eggs');
  await desktop.choose(enMessages.star);
  await waitUntilVisible(desktop.message('two eggs').getByRole('img', { name: enMessages.starredMark }));
  await adas.page.getByRole('button', { name: en.chats.account }).click();
  await adas.page.getByRole('menuitem', { name: en.chats.starred }).click();
  await waitForPath(adas.page, '/starred');
  const list = adas.page.getByRole('list', { name: enMessages.starred.title });
  await list.getByRole('link').filter({ hasText: 'two eggs' }).click();
  await waitUntilVisible(desktop.message('two eggs'));
  expect(await phone.message('two eggs').getByRole('img', { name: enMessages.starredMark }).count()).toBe(0);
  await adas.go('/starred');
  await list.getByRole('button', { name: enMessages.unstar }).click();
  await waitUntilVisible(adas.page.getByText(enMessages.starred.empty));

  await adas.go(`/chat/${id}`);
  await desktop.openMenu('Gate nine');
  await desktop.choose(enMessages.forward);
  const forwarding = adas.page.getByRole('dialog', { name: enMessages.forwardTo.title });
  await forwarding.getByRole('checkbox', { name: cleo.name }).check();
  await forwarding.getByRole('checkbox', { name: desktop.name }).check();
  await forwarding.getByRole('button', { name: enMessages.forwardTo.send }).click();
  await new Toasts(adas.page).expectShown(fillPlaceholders(enMessages.forwardTo.done_other, { count: 2 }));
  await waitUntilVisible(phone.message('Gate nine').getByText(enMessages.forwarded));
  await waitForExpectation(async () => {
    const reached = await cleo.user.api.get<Message[]>(`/api/conversations/${other}/messages?limit=10`);
    expect(reached.body.at(-1)).toMatchObject({ content: 'Gate nine', forwarded: true });
  });
  await readAndGone(scene);
});

story('markup is rendered, and hostile text stays text', async () => {
  const { ada, ben, id } = await createFriends(url());
  await sendMessage(ada, id, '**bold** _slanted_ ~~gone~~ `code`');
  await sendMessage(ada, id, '```\nconst a = 1;\n```');
  await sendMessage(ada, id, '> quoted\n\n1. one\n2. two');
  await sendMessage(ada, id, '[Bank](https://example.org/x) and [bank.example](https://evil.example/)');
  await sendMessage(
    ada,
    id,
    '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script> ![x](https://evil.example/x.png)',
  );
  await sendMessage(ada, id, '[press](javascript:window.hacked=1) https://bank.example@evil.example/');
  await sendMessage(ada, id, 'w'.repeat(10_000));
  await sendMessage(ada, id, `\u202eturned ${'Z\u0351\u0352\u0353\u0354'.repeat(20)}${'e'}${'\u0301'.repeat(2_000)}`);
  await sendMessage(ada, id, '>'.repeat(20_000));
  await sendMessage(ada, id, '*a _b '.repeat(5_000));
  await sendMessage(ada, id, '[a]('.repeat(5_000));
  await sendMessage(ada, id, 'مرحبا *قوي* https://example.org/path');
  await sendMessage(ada, id, 'The last one');
  const visitor = await openPage({ as: ben.user, path: `/chat/${id}`, device: 'phone' });
  const { page } = visitor;
  const pane = new ConversationPage(page, ada.name);
  // The list opens at the first unread message.
  await waitUntilVisible(pane.message('slanted'));
  expect(await page.evaluate('window.hacked')).toBeUndefined();
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  const wide = await page.evaluate(
    `[...document.querySelectorAll('[data-bubble]')].filter((one) => one.getBoundingClientRect().right > innerWidth + 1 || one.getBoundingClientRect().left < -1).length`,
  );
  expect(wide).toBe(0);
  await waitUntilVisible(
    pane.message('slanted').locator('em'),
    pane.message('bold').locator('strong'),
    pane.messages.locator('pre'),
  );
  await waitUntilVisible(pane.messages.locator('blockquote'), pane.messages.locator('ol li'));
  const links = await pane.messages
    .locator('a')
    .evaluateAll((all: { href: string; rel: string }[]) => all.map(({ href, rel }) => [href, rel]));
  for (const [href, rel] of links) {
    expect(href).toMatch(/^https?:/);
    expect(rel).toContain('noopener');
    expect(rel).toContain('noreferrer');
  }
  expect(await pane.messages.locator('img').count()).toBe(0);
  // If a name poses as an address, the real one is shown next to it.
  await waitUntilVisible(pane.messages.getByText('(evil.example)'));
  expect(await findAxeIssues(page, 'hostile texts', 'light')).toEqual([]);
  await page
    .getByRole('button', { name: en.conversation.toNewest })
    .or(page.getByRole('button', { name: /new messages?$/ }))
    .click();
  await waitUntilVisible(pane.message('The last one'));
  expect(await page.evaluate('window.hacked')).toBeUndefined();
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
});

story('text is found on the device, and several messages are handled at once, by keyboard alone', async () => {
  const { ada, ben, id } = await createFriends(url(), ['Needle one', 'hay', 'hay too', 'needle two']);
  const adas = await openPage({ as: ada.user, path: `/chat/${id}` });
  const desktop = new ConversationPage(adas.page, ben.name);
  await waitUntilVisible(desktop.message('needle two'));
  // Immediate: further typing goes into the field, not into the composer.
  await adas.page.keyboard.press('Control+f');
  await adas.page.keyboard.type('needle');
  const field = adas.page.getByRole('searchbox', { name: enMessages.search.label });
  await waitForFocus(field);
  expect(await field.inputValue()).toBe('needle');
  await waitUntilVisible(adas.page.getByText(fillPlaceholders(enMessages.search.count, { position: 1, total: 2 })));
  const highlightedWords = () => new SearchPage(adas.page).highlightedWords();
  await waitForExpectation(async () => expect(await highlightedWords()).toEqual(['Needle', 'needle']));
  await field.press('Enter');
  await waitUntilVisible(adas.page.getByText(fillPlaceholders(enMessages.search.count, { position: 2, total: 2 })));
  await waitUntilVisible(adas.page.getByText(/Searching the \d+ messages? on this device/));
  await field.fill('nowhere');
  await waitUntilVisible(adas.page.getByText(enMessages.search.none));
  await adas.page.keyboard.press('Escape');
  await adas.page.keyboard.press('Escape');
  await waitUntilHidden(field);
  await waitForExpectation(async () => expect(await highlightedWords()).toEqual([]));
  await waitForFocus(desktop.composer);

  for (const text of ['First pick', 'Second pick', 'Third pick']) await desktop.sendText(text);
  await waitUntilVisible(desktop.deliveryIcon('Third pick', 'sent'));
  await adas.page.keyboard.press('Shift+Tab');
  await desktop.message('Third pick').focus();
  await adas.page.keyboard.press(' ');
  await waitUntilVisible(adas.page.getByText(fillPlaceholders(enMessages.selection.count_one, { count: 1 })));
  await adas.page.keyboard.press('ArrowUp');
  await adas.page.keyboard.press(' ');
  await waitUntilVisible(adas.page.getByText(fillPlaceholders(enMessages.selection.count_other, { count: 2 })));
  const bar = adas.page.getByRole('toolbar', { name: enMessages.selection.bar });
  await bar.getByRole('button', { name: en.conversation.deleteForEveryone }).click();
  await adas.page
    .getByRole('alertdialog', { name: fillPlaceholders(enMessages.selection.deleteTitle_other, { count: 2 }) })
    .getByRole('button', { name: en.common.delete })
    .click();
  await waitUntilHidden(desktop.message('Second pick'), desktop.message('Third pick'));
  await waitForExpectation(async () => {
    const { body } = await ben.user.api.get<Message[]>(`/api/conversations/${id}/messages?limit=20`);
    expect(body.map(({ content }) => content).filter((one) => one.endsWith('pick'))).toEqual(['First pick']);
  });
});
