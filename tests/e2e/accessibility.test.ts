import { randomPhone } from '@nolo/testing';
import type { Locator, Page } from 'playwright-core';
import { ChatsPage } from './pages/ChatsPage.ts';
import { ContactsPage } from './pages/ContactsPage.ts';
import { ConversationPage } from './pages/ConversationPage.ts';
import { LandingPage } from './pages/LandingPage.ts';
import { NamePage } from './pages/NamePage.ts';
import { PhoneSignInPage } from './pages/PhoneSignInPage.ts';
import { ProfilePage } from './pages/ProfilePage.ts';
import { Shell } from './pages/Shell.ts';
import { findAxeIssues } from './support/accessibility.ts';
import { createFriends, createCastMember, sendMessage, type CastMember } from './support/cast.ts';
import { setUpJourney, type BrowserUser, getUrlWithoutServiceWorker } from './support/journey.ts';
import { waitUntilHidden, waitUntilVisible } from './support/waitFor.ts';
import { toPattern, en, enMessages } from './support/words.ts';

const { story, openPage, url } = setUpJourney(getUrlWithoutServiceWorker);

interface Screen {
  name: string;
  open: (visitor: BrowserUser) => Promise<void>;
}

const signedOutScreens: Screen[] = [
  {
    name: 'landing',
    open: async ({ go, page }) => {
      await go('/');
      await waitUntilVisible(new LandingPage(page).headline);
    },
  },
  {
    name: 'phone number',
    open: async ({ page }) => {
      await new LandingPage(page).getStarted.click();
      await waitUntilVisible(new PhoneSignInPage(page).number);
    },
  },
  {
    name: 'phone number refused',
    open: async ({ page }) => {
      const form = new PhoneSignInPage(page);
      await form.continue.click();
      await waitUntilVisible(page.getByText(toPattern(en.phoneForm.errors.phoneRequired.title)));
    },
  },
  { name: 'code', open: async ({ page }) => await new PhoneSignInPage(page).requestCode(randomPhone()) },
  {
    name: 'name step',
    open: async ({ page }) => {
      const form = new PhoneSignInPage(page);
      await form.code.fill(await form.demoCode());
      await waitUntilVisible(new NamePage(page).heading);
    },
  },
  {
    name: 'chats without any',
    open: async ({ page }) => {
      await new NamePage(page).introduce('Ada', 'Lovelace');
      await waitUntilVisible(new ChatsPage(page).emptyTitle);
    },
  },
  {
    name: 'contacts without any',
    open: async ({ page }) => {
      await new Shell(page).link('contacts').click();
      await waitUntilVisible(new ContactsPage(page).emptyTitle);
    },
  },
];

const dialog = (page: Page) => page.getByRole('dialog').or(page.getByRole('alertdialog'));

function signedInScreens(other: CastMember, id: string): Screen[] {
  return [
    {
      name: 'chats',
      open: async ({ go, page }) => {
        await go('/');
        await waitUntilVisible(new ChatsPage(page).row(other.name));
      },
    },
    {
      name: 'conversation',
      open: async ({ go, page }) => {
        await go(`/chat/${id}`);
        await waitUntilVisible(new ConversationPage(page, other.name).message('Two'));
      },
    },
    {
      name: 'refused message',
      open: async ({ page }) => {
        const body = '{"code":"message_too_large","message":"Too large."}';
        await page.route(
          /\/api\/messages$/,
          (route) => route.fulfill({ status: 413, contentType: 'application/json', body }),
          { times: 1 },
        );
        await new ConversationPage(page, other.name).sendText('Refused');
        await waitUntilVisible(page.getByRole('alert').filter({ hasText: en.conversation.failure.tooLarge }));
      },
    },
    {
      name: 'attachments',
      open: async ({ page }) => {
        await page.getByRole('button', { name: en.conversation.attach, exact: true }).click();
        await waitUntilVisible(page.getByRole('menu'));
      },
    },
    {
      name: 'emoji',
      open: async ({ page }) => {
        await page.keyboard.press('Escape');
        await waitUntilHidden(page.getByRole('menu'));
        await page.getByRole('button', { name: enMessages.emoji.open }).click();
        await waitUntilVisible(dialog(page).getByRole('searchbox'));
      },
    },
    {
      name: 'message menu',
      open: async ({ page }) => {
        await page.keyboard.press('Escape');
        await waitUntilHidden(dialog(page));
        await new ConversationPage(page, other.name).openMenu('One');
      },
    },
    {
      name: 'delete dialog',
      open: async ({ page }) => {
        await new ConversationPage(page, other.name).choose(en.conversation.deleteForEveryone);
        await waitUntilVisible(dialog(page));
      },
    },
    {
      name: 'message details',
      open: async ({ page }) => {
        await page.keyboard.press('Escape');
        const conversation = new ConversationPage(page, other.name);
        await conversation.openMenu('One');
        await conversation.choose(en.conversation.details);
        await waitUntilVisible(page.getByRole('dialog', { name: en.conversation.detailsTitle }));
      },
    },
    {
      name: 'conversation details',
      open: async ({ page }) => {
        await page.keyboard.press('Escape');
        await new ConversationPage(page, other.name).info.click();
        await waitUntilVisible(page.getByRole('heading', { name: en.shell.details }));
      },
    },
    {
      name: 'contacts',
      open: async ({ go, page }) => {
        await go('/contacts');
        await waitUntilVisible(new ContactsPage(page).row(other.name));
      },
    },
    {
      name: 'add contact',
      open: async ({ page }) => {
        const contacts = new ContactsPage(page);
        await contacts.add.click();
        await contacts.submit.click();
        await waitUntilVisible(contacts.dialog.getByText(en.refusals.phone_number_required));
      },
    },
    {
      name: 'profile with its devices',
      open: async ({ go, page }) => {
        await go('/profile');
        await waitUntilVisible(new ProfilePage(page).heading, page.getByText(en.profile.thisDevice));
      },
    },
    {
      name: 'blocked people',
      open: async ({ page }) => {
        await page.getByRole('button', { name: en.contacts.showBlocked }).click();
        await waitUntilVisible(page.getByRole('dialog', { name: en.contacts.blockedTitle }).getByRole('listitem'));
      },
    },
    {
      name: 'delete account',
      open: async ({ page }) => {
        await page.keyboard.press('Escape');
        await page.getByRole('button', { name: en.profile.deleteAccount }).click();
        await waitUntilVisible(page.getByRole('alertdialog', { name: en.profile.deleteTitle }));
      },
    },
    {
      name: 'shortcut sheet',
      open: async ({ page }) => {
        await page.keyboard.press('Escape');
        await waitUntilHidden(dialog(page));
        await page.keyboard.press('?');
        await waitUntilVisible(new Shell(page).shortcutSheet);
      },
    },
    ...(['privacy', 'terms'] as const).map((name) => ({
      name,
      open: async ({ go, page }: BrowserUser) => {
        await go(`/${name}`);
        await waitUntilVisible(page.getByRole('heading', { level: 1 }));
      },
    })),
    {
      name: 'not found',
      open: async ({ go, page }) => {
        await go('/nowhere');
        await waitUntilVisible(page.getByRole('heading', { name: en.notFound.title }));
      },
    },
  ];
}

/**
 * Screens that show every color between them. The others consist of the same parts and are checked in light mode only.
 */
const hasTheColours = new Set([
  'landing',
  'code',
  'chats',
  'conversation',
  'refused message',
  'message menu',
  'contacts',
  'add contact',
  'profile with its devices',
  'delete account',
]);

/** Screens that look different on a phone. The others consist of the same parts there. */
const differsOnPhones = new Set([
  'landing',
  'chats',
  'conversation',
  'attachments',
  'emoji',
  'message menu',
  'conversation details',
  'contacts',
]);

// Desktops and phones take their colors from the same tokens, so dark mode is checked on one of them.
for (const [device, colours] of [
  ['desktop', ['light', 'dark']],
  ['phone', ['light']],
] as const) {
  story(
    `no screen on a ${device} has an accessibility issue in ${colours.join(' or in ')} colours`,
    async () => {
      const issues: string[] = [];
      const checkScreen = async (visitor: BrowserUser, screens: Screen[]) => {
        for (const { name, open } of screens) {
          if (device === 'phone' && !differsOnPhones.has(name)) continue;
          await open(visitor);
          for (const colorScheme of colours) {
            if (colorScheme === 'dark' && !hasTheColours.has(name)) continue;
            issues.push(...(await findAxeIssues(visitor.page, `${name}, ${colorScheme}`, colorScheme)));
          }
        }
      };
      await checkScreen(await openPage({ device }), signedOutScreens);
      const { ada, ben, id } = await createFriends(url(), ['One', 'Two', 'See https://example.com/a?b=c and 🎉', '🎉']);
      const cleo = await createCastMember(url(), 'Cleo Cele');
      await ada.user.api.post('/api/contacts', { phoneNumber: cleo.user.phone, displayName: cleo.name });
      await ada.user.api.put(`/api/blocks/${cleo.user.id}`);
      await ada.user.api.post('/api/contacts', { phoneNumber: randomPhone(), displayName: 'Dumisani Dlamini' });
      await sendMessage(ben, id, 'A long sentence '.repeat(40));
      await checkScreen(await openPage({ device, as: ada.user }), signedInScreens(ben, id));
      expect(issues).toEqual([]);
    },
    480_000,
  );
}

story('states and bubbles remain distinguishable in the colours of the system', async () => {
  const { ada, ben, id } = await createFriends(url(), ['Hello', 'Hi']);
  const { page, go } = await openPage({ as: ada.user, path: `/chat/${id}` });
  await page.emulateMedia({ forcedColors: 'active' });
  const chat = new ConversationPage(page, ben.name);
  await waitUntilVisible(chat.message('Hello'), chat.message('Hi'));
  const styleOf = (thing: Locator, property: string) =>
    thing.first().evaluate((element: unknown, name: string) => {
      const page = globalThis as unknown as { getComputedStyle: (of: unknown) => Record<string, string> };
      return page.getComputedStyle(element)[name];
    }, property);
  for (const bubble of ['.bg-bubble-own', '.bg-bubble-other']) {
    expect(await styleOf(page.locator(bubble), 'borderTopStyle')).toBe('solid');
  }
  expect(await styleOf(new ChatsPage(page).row(ben.name).locator('..'), 'outlineStyle')).toBe('solid');

  await go('/profile');
  const on = page.getByRole('switch', { checked: true });
  const off = page.getByRole('switch', { checked: false, disabled: false });
  await waitUntilVisible(on, off);
  expect(await styleOf(on, 'backgroundColor')).not.toBe(await styleOf(off, 'backgroundColor'));
  for (const one of [on, off]) {
    expect(await styleOf(one, 'borderTopStyle')).toBe('solid');
    expect(await styleOf(one.locator('span'), 'backgroundColor')).not.toBe(await styleOf(one, 'backgroundColor'));
  }
  const segments = page.locator('label:has(> input[type="radio"])');
  const chosen = segments.filter({ has: page.locator('input:checked') });
  const others = segments.filter({ hasNot: page.locator('input:checked') });
  expect(await styleOf(chosen, 'backgroundColor')).not.toBe(await styleOf(others, 'backgroundColor'));
});
