/** Fills an instance with an evening's conversations and takes the screenshots of the README: npm run screenshots. */
import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { GroupChat, Message } from '@nolo/api';
import { createDb } from '@nolo/kit/db';
import {
  converse,
  eventually,
  launchChromium,
  messageTo,
  phoneViewport,
  randomPhone,
  signUpByPhone,
  type TestSocket,
  type TestUser,
} from '@nolo/testing';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import sharp from 'sharp';
import { projectRoot } from '../../scripts/paths.ts';
import { createConsoleProgress } from '../../scripts/progress.ts';
import { startStack, type Stack } from '../../scripts/stack.ts';
import { CallPage } from './pages/CallPage.ts';
import { ChatsPage } from './pages/ChatsPage.ts';
import { ContactsPage } from './pages/ContactsPage.ts';
import { ConversationPage } from './pages/ConversationPage.ts';
import { GroupPage } from './pages/GroupPage.ts';
import { LandingPage } from './pages/LandingPage.ts';
import { MeetingRoomPage } from './pages/MeetingRoomPage.ts';
import { demoGroup } from './support/demoGroup.ts';
import { demoConversations, demoPeople, type DemoMessage } from './support/demoPeople.ts';
import { writeCameraStream } from './support/demoScenes.ts';
import { readVideoState } from './support/motion.ts';
import { waitUntilVisible } from './support/waitFor.ts';
import { en } from './support/words.ts';

const folder = join(projectRoot, 'docs/images');
const largestBytes = 300_000;
const timezoneId = 'Africa/Johannesburg';
const desktop = { width: 1440, height: 900 };

/** Parses a time of that evening; South Africa has no daylight saving time. */
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
  if (value === undefined) throw new Error(`${key} is not in the cast.`);
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

/** Sends the messages of all conversations, in chronological order. */
async function talk(stack: Stack, cast: Cast): Promise<void> {
  const thandi = get(cast.users, 'thandi');
  const sentMessages: { id: string; seq: number; at: Date }[] = [];
  for (const [key, messages] of Object.entries(demoConversations)) {
    const other = get(cast.users, key);
    const body = await converse(thandi, other);
    cast.conversations.set(key, body.id);
    for (const [index, message] of messages.entries())
      await sendDemoLine(cast, body.id, message, index + 1, sentMessages);
    // A person who replied has read the earlier messages, and everyone has received theirs.
    const newest = messages.at(-1);
    const unread = (person: string) => newest?.from !== person && key === 'mum' && person === 'thandi';
    for (const [person, user] of [
      ['thandi', thandi],
      [key, other],
    ] as const) {
      const readSeq = unread(person) ? messages.length - 1 : messages.length;
      await user.api.put(`/api/conversations/${body.id}/cursor`, { deliveredSeq: messages.length, readSeq });
    }
  }
  const db = createDb({ url: stack.databaseUrls['chat'] ?? '', schema: 'chat' });
  for (const { id, seq, at } of sentMessages) {
    await db('messages').where({ conversation_id: id, seq }).update({ created_at: at });
    await db('conversations')
      .where({ id })
      .update({ last_message_at: at, updated_at: at, created_at: moment('-9 10:00') });
  }
  await db.destroy();
}

async function sendDemoLine(
  cast: Cast,
  id: string,
  message: DemoMessage,
  seq: number,
  sentMessages: { id: string; seq: number; at: Date }[],
): Promise<void> {
  const reply = await get(cast.users, message.from).api.post('/api/messages', messageTo(id, message.text));
  if (reply.status !== 201) throw new Error(`"${message.text}" was answered with ${reply.status}.`);
  sentMessages.push({ id, seq, at: moment(message.at) });
}

/** Creates the walkers' group, with its messages and actions. */
async function gatherGroup(stack: Stack, cast: Cast): Promise<void> {
  const { name, description, people, messages } = demoGroup;
  const thandi = get(cast.users, 'thandi');
  const memberIds = people.map((key) => get(cast.users, key).id);
  const { body: group } = await thandi.api.post<GroupChat>('/api/groups', { name, memberIds });
  await thandi.api.patch(`/api/group-chats/${group.id}`, { description });
  cast.conversations.set('walkers', group.id);
  const sentMessages: Message[] = [];
  for (const { from, text, answers, mentions = [], reactions = {}, pinned } of messages) {
    const sender = get(cast.users, from);
    const { body } = await sender.api.post<Message>('/api/messages', {
      ...messageTo(group.id, text),
      mentions: mentions.map((key) => get(cast.users, key).id),
      ...(answers !== undefined && { replyToSeq: sentMessages[answers]?.seq }),
    });
    sentMessages.push(body);
    for (const [key, emoji] of Object.entries(reactions)) {
      await get(cast.users, key).api.put(`/api/messages/${body.id}/reaction`, { emoji });
    }
    if (pinned === true) await thandi.api.put(`/api/messages/${body.id}/pin`);
  }
  const newest = sentMessages.at(-1)?.seq ?? 0;
  for (const key of ['thandi', ...people]) {
    const cursor = { deliveredSeq: newest, readSeq: newest };
    await get(cast.users, key).api.put(`/api/conversations/${group.id}/cursor`, cursor);
  }
  const db = createDb({ url: stack.databaseUrls['chat'] ?? '', schema: 'chat' });
  const created = moment('-9 10:00');
  // System messages about the creation of the group are as old as the group.
  await db('messages').where({ conversation_id: group.id }).update({ created_at: created });
  for (const [index, { seq }] of sentMessages.entries()) {
    const at = moment(messages[index]?.at ?? '');
    // System messages about a pin are as old as the message before them.
    await db('messages').where({ conversation_id: group.id }).where('seq', '>=', seq).update({ created_at: at });
    await db('conversations').where({ id: group.id }).update({ last_message_at: at, updated_at: at });
  }
  await db('conversations').where({ id: group.id }).update({ created_at: created });
  await db('members').where({ conversation_id: group.id }).update({ joined_at: created });
  await db.destroy();
}

async function open(
  browser: Browser,
  url: string,
  options: BrowserContextOptions,
  user?: TestUser,
  time: 'evening' | 'now' = 'evening',
): Promise<Page> {
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
  if (time === 'evening') await page.clock.setFixedTime(moment('18:36'));
  return page;
}

/** Takes a screenshot at rest: fonts loaded, nothing fading, no caret. */
async function shoot(page: Page): Promise<Buffer> {
  await page.evaluate('document.fonts.ready.then(() => undefined)');
  await page.evaluate(
    'Promise.all(document.getAnimations().filter((one) => one.effect.getComputedTiming().iterations !== Infinity).map((one) => one.finished.catch(() => undefined))).then(() => undefined)',
  );
  return await page.screenshot({ caret: 'hide' });
}

/** Writes a picture with as many pixels and colors as the repository's size limit allows. */
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
  throw new Error(`${name} could not be made small enough.`);
}

async function desktopConversation(browser: Browser, url: string, cast: Cast, colorScheme: 'light' | 'dark') {
  const page = await open(browser, url, { viewport: desktop, colorScheme }, get(cast.users, 'thandi'));
  const id = get(cast.conversations, 'amara');
  await page.goto(`/chat/${id}`);
  const conversation = new ConversationPage(page, 'Amara Dlamini');
  await waitUntilVisible(conversation.message('turning gold'), new ChatsPage(page).unread('Mum', 1));
  await conversation.info.click();
  await page.mouse.move(1270, 760);
  await waitUntilVisible(page.getByRole('heading', { name: en.shell.details }));
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
  await waitUntilVisible(new LandingPage(page).headline);
  await keep('landing-desktop-light.png', await shoot(page));
  await page.context().close();
}

/** Captures chats, a conversation and the contacts, side by side. */
async function phones(browser: Browser, url: string, cast: Cast): Promise<void> {
  const phone = { viewport: phoneViewport, hasTouch: true, isMobile: true };
  const page = await open(browser, url, phone, get(cast.users, 'thandi'));
  const screens: Buffer[] = [];
  await page.goto('/');
  await waitUntilVisible(new ChatsPage(page).row('Lena Petersen'));
  screens.push(await shoot(page));
  await page.goto(`/chat/${get(cast.conversations, 'amara')}`);
  await waitUntilVisible(new ConversationPage(page, 'Amara Dlamini').message('turning gold'));
  screens.push(await shoot(page));
  await page.goto('/contacts');
  await waitUntilVisible(new ContactsPage(page).row('Sipho Khumalo'));
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

async function groupConversation(browser: Browser, url: string, cast: Cast): Promise<void> {
  const page = await open(browser, url, { viewport: desktop }, get(cast.users, 'thandi'));
  await page.goto(`/group-chat/${get(cast.conversations, 'walkers')}`);
  const group = new GroupPage(page, demoGroup.name);
  await waitUntilVisible(group.message('Then it is settled'));
  await group.openDetails();
  await waitUntilVisible(group.member('Sipho Khumalo'));
  await page.mouse.move(1270, 860);
  await keep('group-desktop-light.png', await shoot(page));
  await page.context().close();
}

/** Starts a browser whose camera shows one person. */
async function browserOf(key: string): Promise<Browser> {
  const camera = join(home, `${key}.mjpeg`);
  await writeCameraStream(key, camera);
  return await launchChromium({ args: [`--use-file-for-fake-video-capture=${camera}`] });
}

/** Waits until the videos have their best quality. */
async function shows(...videos: Locator[]): Promise<void> {
  for (const video of videos) {
    await eventually(async () => (await readVideoState(video)).frames > 60, { timeoutMs: 60_000 });
  }
}

/** Captures Amara's call and a later meeting with two more people. The clock runs normally here. */
async function callAndMeeting(url: string, cast: Cast): Promise<void> {
  const [thandis, amaras, jonas] = await Promise.all(['thandi', 'amara', 'jonas'].map(browserOf));
  if (!thandis || !amaras || !jonas) throw new Error('A browser is missing.');
  const openPage = async (browser: Browser, key: string, path: string) => {
    const page = await open(browser, url, { viewport: desktop }, get(cast.users, key), 'now');
    await page.goto(path);
    return page;
  };
  const chat = `/chat/${get(cast.conversations, 'amara')}`;
  const page = await openPage(thandis, 'thandi', chat);
  const amara = await openPage(amaras, 'amara', chat);
  const [call, peer] = [new CallPage(page, 'Amara Dlamini'), new CallPage(amara, 'Thandi Nkosi')];
  await waitUntilVisible(call.videoCall);
  await peer.videoCall.click();
  await call.answer('answerVideo').click();
  await shows(call.videos.first(), call.videos.last());
  await keep('call-desktop.png', await shoot(page));
  await call.end.click();
  await waitUntilVisible(call.videoCall);

  const made = await get(cast.users, 'thandi').api.post<{ roomCode: string }>('/api/meetings/create', {
    name: 'Plans for the winter hut',
  });
  const room = `/meeting/${made.body.roomCode}`;
  const people = [page, amara, await openPage(jonas, 'jonas', '/'), await openPage(amaras, 'priya', '/')];
  for (const one of people) {
    await one.goto(one === people[3] ? `${room}?type=voice` : room);
    const roomPage = new MeetingRoomPage(one);
    await waitUntilVisible(roomPage.ready);
    await roomPage.joinNow.click();
    await waitUntilVisible(roomPage.room);
  }
  const meeting = new MeetingRoomPage(page);
  await shows(meeting.video('Amara Dlamini'), meeting.video('Jonas Weber'));
  await people[2]?.keyboard.press('h');
  await waitUntilVisible(meeting.tile('Priya Raman'), meeting.raisedHandIcon('Jonas Weber'));
  await meeting.openPeople();
  await waitUntilVisible(meeting.people.getByText('Priya Raman'));
  // Hovers over the bar, so that it stays.
  await page.mouse.move(200, 864);
  await keep('meeting-desktop.png', await shoot(page));
  for (const browser of [thandis, amaras, jonas]) await browser.close();
}

const home = await mkdtemp(join(tmpdir(), 'nolo-screenshots-'));
const stack = await startStack({ home, media: true, progress: createConsoleProgress(process.stdout) });
try {
  const [url = ''] = stack.urls;
  const cast = await gather(url);
  await talk(stack, cast);
  await gatherGroup(stack, cast);
  await mkdir(folder, { recursive: true });
  const browser = await launchChromium();
  await desktopConversation(browser, url, cast, 'light');
  await desktopConversation(browser, url, cast, 'dark');
  await landing(browser, url);
  await groupConversation(browser, url, cast);
  await phones(browser, url, cast);
  await browser.close();
  await callAndMeeting(url, cast);
  for (const user of cast.users.values()) await user.disconnect();
} finally {
  await stack.stop();
  await rm(home, { recursive: true, force: true });
}
