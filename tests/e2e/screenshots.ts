/** Fills an instance with an evening's conversations and takes the pictures of the README: npm run screenshots. */
import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Conversation } from '@nolo/api';
import { createDb } from '@nolo/kit/db';
import {
  eventually,
  launchChromium,
  messageTo,
  phoneViewport,
  randomPhone,
  signUpByPhone,
  type TestSocket,
  type TestUser,
} from '@nolo/testing';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import sharp from 'sharp';
import { projectRoot } from '../../scripts/paths.ts';
import { consoleProgress } from '../../scripts/progress.ts';
import { startStack, type Stack } from '../../scripts/stack.ts';
import { ChatsPage } from './pages/ChatsPage.ts';
import { ContactsPage } from './pages/ContactsPage.ts';
import { ConversationPage } from './pages/ConversationPage.ts';
import { LandingPage } from './pages/LandingPage.ts';
import { demoConversations, demoPeople, type DemoLine } from './support/demoPeople.ts';
import { see } from './support/see.ts';
import { en } from './support/words.ts';

const folder = join(projectRoot, 'docs/images');
const largestBytes = 300_000;
const timezoneId = 'Africa/Johannesburg';
const desktop = { width: 1440, height: 900 };

/** A moment of that evening; South Africa has no summer time. */
function moment(at: string): Date {
  const [, days = '0', time = ''] = /^(?:(-\d+) )?(\d\d:\d\d)$/.exec(at) ?? [];
  const day = new Date(Date.now() + Number(days) * 86_400_000).toISOString().slice(0, 10);
  return new Date(`${day}T${time}:00+02:00`);
}

interface Cast {
  users: Map<string, TestUser>;
  sockets: Map<string, TestSocket>;
  conversations: Map<string, string>;
}

function get<T>(map: Map<string, T>, key: string): T {
  const value = map.get(key);
  if (value === undefined) throw new Error(`There is no ${key} in the cast.`);
  return value;
}

async function gather(url: string): Promise<Cast> {
  const cast: Cast = { users: new Map(), sockets: new Map(), conversations: new Map() };
  for (const { key, name, statusMessage, presence } of demoPeople) {
    const user = await signUpByPhone(url, randomPhone(), name);
    await user.api.put('/api/profile', { statusMessage, ...(presence && { presenceStatus: presence }) });
    cast.users.set(key, user);
    if (presence !== undefined && key !== 'thandi') cast.sockets.set(key, await user.connectSocket());
  }
  const thandi = get(cast.users, 'thandi');
  for (const { key, name } of demoPeople.slice(1)) {
    const other = get(cast.users, key);
    await thandi.api.post('/api/contacts', { phoneNumber: other.phone, displayName: name });
    await other.api.post('/api/contacts', { phoneNumber: thandi.phone, displayName: 'Thandi Nkosi' });
  }
  return cast;
}

/** What was said, in the order in which it was said over all conversations. */
async function talk(stack: Stack, cast: Cast): Promise<void> {
  const thandi = get(cast.users, 'thandi');
  const said: { id: string; seq: number; at: Date }[] = [];
  for (const [key, lines] of Object.entries(demoConversations)) {
    const other = get(cast.users, key);
    const { body } = await thandi.api.post<Conversation>('/api/conversations', { otherUserId: other.id });
    cast.conversations.set(key, body.id);
    for (const [index, line] of lines.entries()) await say(cast, body.id, line, index + 1, said);
    // Whoever answered has read what came before, and everybody has what was sent to them.
    const newest = lines.at(-1);
    const unread = (person: string) => newest?.from !== person && key === 'mum' && person === 'thandi';
    for (const [person, user] of [
      ['thandi', thandi],
      [key, other],
    ] as const) {
      const readSeq = unread(person) ? lines.length - 1 : lines.length;
      await user.api.put(`/api/conversations/${body.id}/cursor`, { deliveredSeq: lines.length, readSeq });
    }
  }
  const db = createDb({ url: stack.databaseUrls['chat'] ?? '', schema: 'chat' });
  for (const { id, seq, at } of said) {
    await db('messages').where({ conversation_id: id, seq }).update({ created_at: at });
    await db('conversations')
      .where({ id })
      .update({ last_message_at: at, updated_at: at, created_at: moment('-9 10:00') });
  }
  await db.destroy();
}

async function say(
  cast: Cast,
  id: string,
  line: DemoLine,
  seq: number,
  said: { id: string; seq: number; at: Date }[],
): Promise<void> {
  const reply = await get(cast.users, line.from).api.post('/api/messages', messageTo(id, line.text));
  if (reply.status !== 201) throw new Error(`"${line.text}" was answered with ${reply.status}.`);
  said.push({ id, seq, at: moment(line.at) });
}

async function open(browser: Browser, url: string, options: BrowserContextOptions, user?: TestUser): Promise<Page> {
  const context = await browser.newContext({
    baseURL: url,
    locale: 'en-ZA',
    timezoneId,
    deviceScaleFactor: 2,
    ...options,
  });
  if (user !== undefined) {
    await context.addCookies([
      { name: 'nolo_session', value: user.api.token ?? '', url, httpOnly: true, sameSite: 'Lax' },
      { name: 'nolo_signed_in', value: '1', url, sameSite: 'Lax' },
    ]);
  }
  const page = await context.newPage();
  await page.clock.setFixedTime(moment('18:36'));
  return page;
}

/** A picture at rest: fonts loaded, nothing fading, no caret. */
async function shoot(page: Page): Promise<Buffer> {
  await page.evaluate('document.fonts.ready.then(() => undefined)');
  await page.evaluate(
    'Promise.all(document.getAnimations().filter((one) => one.effect.getComputedTiming().iterations !== Infinity).map((one) => one.finished.catch(() => undefined))).then(() => undefined)',
  );
  return await page.screenshot({ caret: 'hide' });
}

/** Writes a picture with as many pixels and colours as the size in the repository allows. */
async function keep(name: string, picture: Buffer): Promise<void> {
  const file = join(folder, name);
  const { width } = await sharp(picture).metadata();
  for (const [share, colours] of [
    [1, 256],
    [1, 128],
    [0.75, 256],
    [0.75, 128],
    [0.5, 256],
  ] as const) {
    await sharp(picture)
      .resize({ width: Math.round(width * share), kernel: 'lanczos3' })
      .png({ palette: true, colours, quality: 95, effort: 10, compressionLevel: 9, dither: 0.6 })
      .toFile(file);
    if ((await stat(file)).size < largestBytes) return;
  }
  throw new Error(`${name} does not get small enough.`);
}

async function desktopConversation(browser: Browser, url: string, cast: Cast, colorScheme: 'light' | 'dark') {
  const page = await open(browser, url, { viewport: desktop, colorScheme }, get(cast.users, 'thandi'));
  const id = get(cast.conversations, 'amara');
  await page.goto(`/chat/${id}`);
  const conversation = new ConversationPage(page, 'Amara Dlamini');
  await see(conversation.message('turning gold'), new ChatsPage(page).unread('Mum', 1));
  await conversation.info.click();
  await page.mouse.move(1270, 760);
  await see(page.getByRole('heading', { name: en.conversation.receiptsTitle }));
  const socket = get(cast.sockets, 'amara');
  await socket.request('join_conversation', { conversationId: id });
  await eventually(async () => {
    socket.send('typing_start', { conversationId: id });
    return await conversation.typing.isVisible();
  });
  await keep(`conversation-desktop-${colorScheme}.png`, await shoot(page));
  socket.send('typing_stop', { conversationId: id });
  await page.context().close();
}

async function landing(browser: Browser, url: string): Promise<void> {
  const page = await open(browser, url, { viewport: desktop });
  await page.goto('/');
  await see(new LandingPage(page).headline);
  await keep('landing-desktop-light.png', await shoot(page));
  await page.context().close();
}

/** Chats, a conversation and the contacts, side by side. */
async function phones(browser: Browser, url: string, cast: Cast): Promise<void> {
  const phone = { viewport: phoneViewport, hasTouch: true, isMobile: true };
  const page = await open(browser, url, phone, get(cast.users, 'thandi'));
  const screens: Buffer[] = [];
  await page.goto('/');
  await see(new ChatsPage(page).row('Lena Petersen'));
  screens.push(await shoot(page));
  await page.goto(`/chat/${get(cast.conversations, 'amara')}`);
  await see(new ConversationPage(page, 'Amara Dlamini').message('turning gold'));
  screens.push(await shoot(page));
  await page.goto('/contacts');
  await see(new ContactsPage(page).row('Sipho Khumalo'));
  screens.push(await shoot(page));
  await page.context().close();

  const frame = await browser.newPage({ viewport: { width: 1400, height: 960 }, deviceScaleFactor: 1.5 });
  const images = screens.map((screen) => `<img src="data:image/png;base64,${screen.toString('base64')}" alt="">`);
  await frame.setContent(`<style>
    body { margin: 0; height: 960px; display: flex; gap: 48px; align-items: center; justify-content: center; background: #e9e5dd; }
    img { width: 390px; height: 844px; border-radius: 36px; box-shadow: 0 0 0 8px #1f1d1a, 0 24px 48px rgb(50 40 25 / 0.22); }
  </style>${images.join('')}`);
  await frame.evaluate('Promise.all([...document.images].map((image) => image.decode())).then(() => undefined)');
  await keep('phone.png', await frame.screenshot());
  await frame.close();
}

const home = await mkdtemp(join(tmpdir(), 'nolo-screenshots-'));
const stack = await startStack({ home, progress: consoleProgress(process.stdout) });
try {
  const [url = ''] = stack.urls;
  const cast = await gather(url);
  await talk(stack, cast);
  await mkdir(folder, { recursive: true });
  const browser = await launchChromium();
  await desktopConversation(browser, url, cast, 'light');
  await desktopConversation(browser, url, cast, 'dark');
  await landing(browser, url);
  await phones(browser, url, cast);
  await browser.close();
  for (const user of cast.users.values()) await user.disconnect();
} finally {
  await stack.stop();
  await rm(home, { recursive: true, force: true });
}
