import { routes, type Conversation, type Message, type ServerFrame } from '@nolo/api';
import { eventually } from '@nolo/testing';
import { createRouteCaller } from '../http/httpClient.ts';
import { ApiError } from '../http/request.ts';
import { fakeDevice } from '../../tests/fakeDevice.ts';
import { createDraftStore } from '../chat/drafts.ts';
import { fakeChatServer } from '../../tests/fakeChatServer.ts';
import { createReversingCodec } from '../../tests/reversingCodec.ts';
import { plainCodec } from './codec.ts';
import { createContent, openFramesInOrder } from './content.ts';
import { createSealedDevice, openOfflineChats } from './sealedDevice.ts';

const reversing = createContent(createReversingCodec());
const late = createContent(createReversingCodec({ late: true }));
const plain = createContent(plainCodec);

const message = (more: Partial<Message> = {}): Message => ({ ...fakeChatServer().store('you', 'Hello', 'a'), ...more });
const sealedOf = async (one: Message) => ({ ...(await reversing.sealMessage(one)) }) as unknown as Message;

test.each([
  ['at once', reversing],
  ['later', late],
])('a codec that answers %s opens what it sealed', async (_, content) => {
  const given = message({
    messageType: 'image',
    fileName: 'photo.png',
    linkPreview: '{"title":"Title"}',
    extra: { poll: { options: ['Here', 'There'] } },
  });
  const sealed = await content.sealMessage(given);
  expect(JSON.stringify(sealed)).not.toMatch(/Hello|photo|Title|Here/);
  expect(await content.openMessage(sealed as unknown as Message)).toEqual(given);
  const { content: text } = message({ content: 'Hello' });
  expect(await content.openText(await content.sealText(text, { kind: 'draft' }), { kind: 'draft' })).toBe('Hello');
});

test('the plain codec needs no turn of the event loop', () => {
  const sealed = plain.sealMessage(message({ content: '{' }));
  expect(sealed).not.toBeInstanceOf(Promise);
  expect(plain.openReply('messages', [sealed])).toEqual([message({ content: '{' })]);
});

test('content that the server opened, and that of system and erased messages, stays as it is', async () => {
  const opened = message();
  expect(await reversing.openReply('message', { ...opened })).toEqual(opened);
  const { fileName: _, ...system } = message({ messageType: 'system', content: '{"kind":"call"}' });
  expect(await reversing.openReply('message', { ...system })).toMatchObject({ ...system, fileName: null });
  const { fileName: _name, ...erased } = message({ content: '' });
  expect(await reversing.openReply('message', { ...erased })).toMatchObject({ content: '', fileName: null });
  expect(await reversing.openReply('message', { held: true })).toEqual({ held: true });
});

test('encrypted content that the codec cannot open survives storing', async () => {
  const content = '{"v":1,"text":"x"}';
  const { fileName: _, ...arrived } = message({ encryption: 'mls', content });
  const opened = (await plain.openReply('message', { ...arrived })) as Message;
  expect(opened.content).toBe(content);
  expect(await plain.sealMessage(opened)).toMatchObject({ content });
});

test('contents are found wherever answers have them', async () => {
  const sealed = () => sealedOf(message());
  const row = async () => ({ lastMessage: await sealed() }) as Conversation;
  expect(await reversing.openReply('stars', [{ message: await sealed() }])).toMatchObject([{ message: message() }]);
  expect(await reversing.openReply('conversations', [await row(), { lastMessage: null }])).toMatchObject([
    { lastMessage: message() },
    { lastMessage: null },
  ]);
  const changes = [{ type: 'message', message: await sealed() }, { type: 'member' }];
  expect(await reversing.openReply('changes', { changes })).toMatchObject({ changes: [{ message: message() }, {}] });
});

test('frames keep their order while some are being opened', async () => {
  const seen: ServerFrame[] = [];
  const take = openFramesInOrder(late.openFrame, (frame) => seen.push(frame));
  const sealed = await sealedOf(message());
  take({ type: 'new_message', data: sealed });
  take({ type: 'sync_required', data: {} });
  expect(seen).toEqual([]);
  await eventually(() => seen.length === 2);
  expect(seen).toMatchObject([{ type: 'new_message', data: { content: 'Hello' } }, { type: 'sync_required' }]);
  take({ type: 'sync_required', data: {} });
  expect(seen).toHaveLength(3);
});

describe('requests', () => {
  interface Sent {
    path: string;
    body: Record<string, unknown>;
    form: string | null;
  }
  const callerOf = (content = reversing, refuse?: (body: Record<string, unknown>) => ApiError | undefined) => {
    const sent: Sent[] = [];
    const { call } = createRouteCaller(async (path, init) => {
      const body = JSON.parse(init.body as string) as Record<string, unknown>;
      sent.push({ path, body, form: new Headers(init.headers).get('nolo-content') });
      const error = refuse?.(body);
      if (error) throw error;
      return new Response(JSON.stringify(await sealedOf(message())));
    }, content);
    return { call, sent };
  };
  const body = { conversationId: 'c1', content: 'Hello', linkPreview: '{}', mentions: [], fileUrl: '/objects/1' };

  it('contain envelopes only, and answers are opened', async () => {
    const { call, sent } = callerOf();
    expect(await call(routes.sendMessage, { body })).toMatchObject({ content: 'Hello', fileName: null });
    expect(sent).toEqual([
      {
        path: '/api/messages',
        form: 'sealed',
        body: {
          conversationId: 'c1',
          mentions: [],
          fileUrl: '/objects/1',
          hasLink: true,
          envelope: expect.any(String),
        },
      },
    ]);
    expect(JSON.stringify(sent)).not.toContain('Hello');
  });

  const unknownForm = new ApiError(400, { code: 'invalid_input', details: { fields: { content: 'is required' } } }, '');

  it('are repeated openly if a server of the previous release refuses envelopes', async () => {
    const { call, sent } = callerOf(plain, (given) => ('envelope' in given ? unknownForm : undefined));
    await call(routes.sendMessage, { body });
    expect(sent.map((one) => one.body)).toEqual([expect.objectContaining({ envelope: expect.any(String) }), body]);
  });

  it('are never repeated openly if only clients can open envelopes', async () => {
    const { call, sent } = callerOf(reversing, () => unknownForm);
    await expect(call(routes.sendMessage, { body })).rejects.toBe(unknownForm);
    expect(sent).toHaveLength(1);
  });
});

test('a device stores sealed contents only', async () => {
  const stored = fakeDevice();
  const device = createSealedDevice(reversing, stored.device);
  const extras = {
    linkPreview: '{"title":"Title"}',
    media: { messageType: 'file', name: 'plan.pdf', size: 1, info: null, fields: null },
  } as const;
  const unsent = {
    clientMessageId: 'u1',
    conversationId: 'c1',
    content: 'Unsent',
    createdAt: 1,
    refused: null,
    extras,
  };
  const row = { id: 'c1', lastMessage: message() } as unknown as Conversation;
  const checkpoint = { conversationId: 'c1', activity: '', changeSeq: 1, hasOlder: false, count: 1, nextExpiry: null };
  await device.putUnsent(unsent);
  await device.writeChats({ rows: [row], timelines: [{ ...checkpoint, messages: [message()] }], people: [] });
  const all = JSON.stringify([...stored.rows.values(), ...stored.timelines.values(), ...stored.unsent.values()]);
  expect(all).not.toMatch(/Hello|Unsent|Title|plan/);
  expect(all).toMatch(/olleH/);
  expect(await device.readTimeline('c1')).toMatchObject({ messages: [message()] });
  expect(await device.readUnsent('u1')).toEqual(unsent);
  expect(await device.listUnsent()).toEqual([unsent]);
  const kept = await openOfflineChats(reversing, stored.kept('c1'));
  expect(kept).toMatchObject({ rows: [row], timelines: [{ messages: [message()] }], unsent: [unsent] });
});

test('data of previous releases on a device, which is open, stays readable', async () => {
  const stored = fakeDevice();
  const unsent = { clientMessageId: 'u1', conversationId: 'c1', content: 'Unsent', createdAt: 1, refused: null };
  await stored.device.putUnsent(unsent);
  expect(await createSealedDevice(plain, stored.device).readUnsent('u1')).toEqual(unsent);
});

test('drafts are stored sealed', async () => {
  const items = new Map<string, string>();
  const storage = {
    get length() {
      return items.size;
    },
    key: (index: number) => [...items.keys()][index] ?? null,
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  };
  const drafts = createDraftStore('me', storage, () => true, late);
  drafts.set('c1', 'Hello');
  drafts.set('c1', 'Hello you');
  await eventually(() => items.size === 1);
  expect([...items]).toEqual([['nolo.draft-sealed.me.c1', 'uoy olleH']]);
  const again = createDraftStore('me', storage, () => true, late);
  again.set('c2', 'newer');
  await eventually(() => Object.keys(again.getState().drafts).length === 2);
  expect(again.getState().drafts).toEqual({ c1: 'Hello you', c2: 'newer' });
});
