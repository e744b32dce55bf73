import { createDb } from '@nolo/kit/db';
import { routes } from '@nolo/api';
import { createChatApi, toSendFailure } from '@nolo/client/chat/chatApi';
import { createChatEngine, type ChatEngine } from '@nolo/client/chat/chatEngine';
import { createMessageActions } from '@nolo/client/chat/messageActions';
import type { ChatApi } from '@nolo/client/chat/ports';
import { createContent } from '@nolo/client/content/content';
import { openOfflineChats } from '@nolo/client/content/sealedDevice';
import { createRouteCaller, type RouteCaller } from '@nolo/client/http/httpClient';
import { createRequester } from '@nolo/client/http/request';
import type { OpenSocket } from '@nolo/client/ports';
import { dial, eventually, readTestServerAddresses, signUpByPhone, type Json, type TestUser } from '@nolo/testing';
import { randomUUID } from 'node:crypto';
import { fakeDevice } from '../../packages/client/tests/fakeDevice.ts';
import { reverseText } from '../../packages/client/tests/reverseText.ts';
import { createReversingCodec } from '../../packages/client/tests/reversingCodec.ts';
import { must as requireSuccess, openAcceptedConversation } from '../support/authorization/authorizationCast.ts';
import { openSharedTestStack } from '../support/stacks/testStack.ts';

/**
 * Checks the seam where clients open and seal content (ADR 39), with a codec that reverses every text. Two clients show
 * each other the original texts. Everything outside of them, the server's tables, the devices, and the frames, has
 * reversed ones only.
 */

const running = openSharedTestStack();

/** Each text once, so that it can be searched for. */
const words = {
  text: 'Amber lanterns over the quay',
  edited: 'Bronze lanterns under the bridge',
  reply: 'Copper kettles in the attic',
  caption: 'Dusty maps on the floor',
  file: 'emerald-plan.pdf',
  info: 'fuchsia-info',
  preview: 'Golden preview of a page',
  extra: 'Hazel poll question',
  status: 'Indigo clouds this morning',
  unsent: 'Jade words that wait',
};
const openTexts = new RegExp(Object.values(words).join('|'));

interface Client {
  user: TestUser;
  engine: ChatEngine;
  api: ChatApi;
  caller: RouteCaller;
  device: ReturnType<typeof fakeDevice>;
  /** Frames and bodies of answers as they arrived, and bodies of requests as they left. */
  wire: string[];
  stop(): void;
}

const clients: Client[] = [];
const db = (() => {
  const url = new URL(readTestServerAddresses().databaseUrl);
  url.pathname = `/${running.name}`;
  return createDb({ url: url.href, schema: 'public' });
})();

afterAll(async () => {
  for (const client of clients) client.stop();
  await db.destroy();
});

function openClient(user: TestUser, url: string, late: boolean, isOffline = () => false): Client {
  const content = createContent(createReversingCodec({ late }));
  const wire: string[] = [];
  const device = fakeDevice();
  const stops: (() => void)[] = [];
  const { request } = createRequester({
    origin: url,
    headers: () => ({ authorization: `Bearer ${user.api.token ?? ''}` }),
    fetch: async (input, init) => {
      if (isOffline()) throw new TypeError('offline');
      if (typeof init?.body === 'string') wire.push(init.body);
      const response = await fetch(input, init);
      wire.push(await response.clone().text());
      return response;
    },
  });
  const openSocket: OpenSocket = ({ onFrame, onClose }) => {
    const socket = dial(url, user.api.token, { headers: { 'nolo-content': 'sealed' } });
    socket.on('message', (raw: Buffer) => {
      wire.push(raw.toString());
      onFrame(JSON.parse(raw.toString()) as never);
    });
    socket.on('close', (code) => onClose(code));
    stops.push(() => socket.terminate());
    return { send: (text) => socket.send(text), close: () => socket.close() };
  };
  const caller = createRouteCaller(request, content);
  const api = createChatApi(caller);
  const engine = createChatEngine({
    selfId: user.id,
    api,
    content,
    device: device.device,
    openSocket,
    timers: {
      now: () => Date.now(),
      random: () => Math.random(),
      after(ms, task) {
        const timer = setTimeout(task, ms);
        stops.push(() => clearTimeout(timer));
        return () => clearTimeout(timer);
      },
    },
    newId: () => randomUUID(),
    failureOf: toSendFailure,
    onOtherFrame: () => undefined,
    onRefused: () => undefined,
  });
  const client = {
    user,
    engine,
    api,
    caller,
    device,
    wire,
    stop: () => {
      engine.stop();
      for (const stop of stops) stop();
    },
  };
  clients.push(client);
  return client;
}

const timelineOf = ({ engine }: Client, id: string) => engine.store.getState().timelines[id];
const textsOf = (client: Client, id: string) => timelineOf(client, id)?.messages.map(({ content }) => content);

/** Returns all rows of the schemas with content, as text. */
async function rowsOf(...schemas: string[]): Promise<string> {
  const { rows: tables } = await db.raw<{ rows: { name: string }[] }>(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
     where table_schema = any(?) and table_type = 'BASE TABLE'`,
    [schemas],
  );
  expect(tables.length).toBeGreaterThan(schemas.length);
  const all = await Promise.all(
    tables.map(async ({ name }) => {
      const { rows } = await db.raw<{ rows: { row: string }[] }>(`select t::text as row from ${name} t`);
      return rows.map(({ row }) => row).join('\n');
    }),
  );
  return all.join('\n');
}

const devicesOf = (...given: Client[]): string =>
  JSON.stringify(
    given.map(({ device }) => [[...device.rows.values()], [...device.timelines.values()], [...device.unsent.values()]]),
  );

test.each([
  ['at once', false],
  ['with promises', true],
])('a codec that answers %s is the only place where texts are open', async (_, late) => {
  const [url = '', otherUrl = url] = running.urls;
  const [annUser, benUser] = await Promise.all([signUpByPhone(url), signUpByPhone(otherUrl)]);
  const conversationId = await openAcceptedConversation(annUser, benUser);
  for (const [one, other] of [
    [annUser, benUser],
    [benUser, annUser],
  ] as const) {
    requireSuccess(await one.api.post('/api/contacts', { userId: other.id }), 'A contact');
  }
  let isBenOffline = false;
  const ann = openClient(annUser, url, late);
  const ben = openClient(benUser, otherUrl, late, () => isBenOffline);
  for (const { engine } of [ann, ben]) {
    engine.start();
    await eventually(() => engine.store.getState().connection === 'open');
    await engine.open(conversationId);
  }

  // A text with everything that an envelope contains, live in the timeline and in the list.
  ann.engine.send(conversationId, words.text, {
    linkPreview: JSON.stringify({ url: 'https://a.example', title: words.preview }),
    extra: { poll: { question: words.extra } },
  });
  await eventually(() => textsOf(ben, conversationId)?.at(-1) === words.text);
  const sent = timelineOf(ben, conversationId)?.messages.at(-1);
  expect(sent).toMatchObject({ extra: { poll: { question: words.extra } }, fileName: null });
  expect(sent?.linkPreview).toContain(words.preview);
  expect(ben.engine.store.getState().conversations[conversationId]?.lastMessage?.content).toBe(words.text);

  // An edit keeps what it does not name, and sends the whole envelope.
  await eventually(() => timelineOf(ann, conversationId)?.pending.length === 0);
  await ann.engine.edit(sent?.id ?? '', words.edited);
  await eventually(() => textsOf(ben, conversationId)?.at(-1) === words.edited);
  expect(timelineOf(ben, conversationId)?.messages.at(-1)).toMatchObject({
    content: words.edited,
    linkPreview: sent?.linkPreview,
    extra: sent?.extra,
  });
  await ann.engine.edit(sent?.id ?? '', words.edited, { linkPreview: null });
  await eventually(() => timelineOf(ben, conversationId)?.messages.at(-1)?.linkPreview === null);

  // Reply, reaction, star, pin.
  const replyTo = { seq: sent?.seq ?? 0, messageId: sent?.id ?? '', senderId: annUser.id };
  ben.engine.send(conversationId, words.reply, { replyTo });
  await eventually(() => textsOf(ann, conversationId)?.at(-1) === words.reply);
  const { core, sync } = ben.engine.internals;
  const actions = createMessageActions(core, sync);
  await actions.react(sent?.id ?? '', '👍');
  await actions.star(sent?.id ?? '', true);
  await actions.pin(sent?.id ?? '', true);
  await eventually(
    () => timelineOf(ann, conversationId)?.messages.find(({ id }) => id === sent?.id)?.reactions.length === 1,
  );
  expect((await ben.api.listStarred()).items).toMatchObject([{ message: { content: words.edited } }]);
  const pinned = await ben.caller.call(routes.listPinned, { params: { id: conversationId } });
  expect(pinned).toMatchObject([{ content: words.edited }]);

  // Fields of a file, which has no text of its own on the server either.
  const address = await uploadOf(annUser);
  ann.engine.send(conversationId, words.caption, {
    media: {
      messageType: 'file',
      name: words.file,
      size: 3,
      info: words.info,
      fields: { messageType: 'file', fileUrl: address, fileName: words.file, mediaInfo: words.info },
    },
  });
  await eventually(() => textsOf(ben, conversationId)?.at(-1) === words.caption);
  expect(timelineOf(ben, conversationId)?.messages.at(-1)).toMatchObject({
    fileName: words.file,
    mediaInfo: words.info,
  });

  // A status update.
  const posted = await ann.caller.call(routes.postStatus, { body: { content: words.status, font: 'Georgia' } });
  expect(posted).toMatchObject({ content: words.status });
  // Events bring contacts to status.
  await eventually(async () => {
    const [status] = await ben.caller.call(routes.listStatuses);
    return status?.content === words.status;
  });

  // Pages, changes, and the list, as a device without data gets them.
  const fresh = openClient(benUser, url, late);
  const page = await fresh.api.listMessages(conversationId, {});
  expect(page.items.map(({ content }) => content)).toEqual(textsOf(ben, conversationId));
  const { changes } = await fresh.api.listChanges(conversationId, 0);
  expect(JSON.stringify(changes)).toContain(words.caption);
  expect((await fresh.api.listConversations()).items[0]?.lastMessage).toMatchObject({ content: words.caption });

  // A message that waits without a connection.
  isBenOffline = true;
  ben.engine.send(conversationId, words.unsent, { extra: { note: words.extra } });
  await eventually(() => ben.device.unsent.size === 1);
  await eventually(() => [ann, ben].every(({ device }) => device.timelines.has(conversationId)));
  for (const { engine } of [ann, ben]) engine.keepNow();
  await eventually(() => devicesOf(ann).includes(reverseText(words.caption)));

  // Everything outside shows reversed texts only.
  const outside = {
    devices: devicesOf(ann, ben),
    wire: [ann, ben, fresh].flatMap(({ wire }) => wire).join('\n'),
    tables: await rowsOf('chat', 'status'),
  };
  for (const text of Object.values(outside)) {
    expect(openTexts.exec(text)?.[0]).toBeUndefined();
    expect(text).toContain(reverseText(words.edited));
  }
  expect(outside.devices).toContain(reverseText(words.unsent));
  expect(outside.tables).toContain(reverseText(words.status));

  // The device opens them again.
  const kept = await openOfflineChats(core.content, ben.device.kept(conversationId));
  expect(kept.rows[0]?.lastMessage?.content).toBe(words.caption);
  expect(kept.timelines[0]?.messages.map(({ content }) => content)).toEqual(textsOf(ben, conversationId));
  expect(kept.unsent).toMatchObject([{ content: words.unsent, extras: { extra: { note: words.extra } } }]);
  for (const client of [ann, ben, fresh]) client.stop();
});

test('a simple client and one that seals understand each other', async () => {
  const [url = ''] = running.urls;
  const [ann, ben] = await Promise.all([signUpByPhone(url), signUpByPhone(url)]);
  const conversationId = await openAcceptedConversation(ann, ben);
  const [plain, sealed] = await Promise.all([
    ben.connectSocket(),
    ben.connectSocket({ headers: { 'nolo-content': 'sealed' } }),
  ]);
  await Promise.all([plain.next('hello'), sealed.next('hello')]);
  const envelope = JSON.stringify({ v: 1, text: 'Hello', fileName: 'a.png', poll: 1 });
  const headers = { 'nolo-content': 'sealed' };
  const body = { conversationId, envelope };
  const { body: stored } = await ann.api.post('/api/messages', body, { headers });
  expect(stored.content).toBe(envelope);
  expect(stored).not.toHaveProperty('fileName');
  expect((await sealed.next('new_message')).data).toEqual({ ...stored, sender: null });
  const opened = { content: 'Hello', fileName: 'a.png', linkPreview: null, extra: { poll: 1 } };
  expect((await plain.next('new_message')).data).toMatchObject(opened);
  const path = `/api/conversations/${conversationId}/messages`;
  expect((await ben.api.get<Json[]>(path)).body.at(-1)).toMatchObject(opened);
  expect((await ben.api.get<Json[]>(`${path}?content=sealed`)).body.at(-1)).toEqual(stored);
  await ann.api.patch(`/api/messages/${stored.id}`, { envelope: 'Bye' }, { headers });
  expect((await plain.next('message_updated')).data).toMatchObject({ content: 'Bye', fileName: null });
  expect((await sealed.next('message_updated')).data).not.toHaveProperty('fileName');
  const refused = async (given: object) =>
    (await ann.api.post('/api/messages', { conversationId, ...given })).body.code;
  expect(await refused({ envelope: ' ' })).toBe('message_blank');
  expect(await refused({ envelope: '{"v":1,"text":"\\u0000"}' })).toBe('message_invalid');
  expect(await refused({ envelope: 'x', content: 'x' })).toBe('message_invalid');
  expect(await refused({ envelope: 'ä'.repeat(40_000) })).toBe('message_too_large');
  expect(await refused({})).toBe('invalid_input');
  await Promise.all([ann.disconnect(), ben.disconnect()]);
});

/** Uploads a file and returns its address. */
async function uploadOf(user: TestUser): Promise<string> {
  const form = new FormData();
  form.append('file', new Blob(['abc']), 'upload.txt');
  const { body } = requireSuccess(await user.api.post('/api/upload-media', form), 'The upload');
  return body.url as string;
}
