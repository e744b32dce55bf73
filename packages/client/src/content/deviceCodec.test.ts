import type { Message } from '@nolo/api';
import { createStoreKey } from '@nolo/e2ee';
import { fakeChatServer } from '../../tests/fakeChatServer.ts';
import { fakeDevice } from '../../tests/fakeDevice.ts';
import type { StoredMessage } from '../chat/rowOpening.ts';
import type { OfflineChats, OfflineTimeline, UnsentMessage } from '../chat/ports.ts';
import { createContent } from './content.ts';
import { createDeviceCodec } from './deviceCodec.ts';
import { createSealedDevice, openOfflineChats } from './sealedDevice.ts';

const key = await createStoreKey();
const contentOf = (given: typeof key | undefined) => createContent(createDeviceCodec(async () => given));
const content = contentOf(key);
const index = { kind: 'index', encryption: 'none' } as const;

const message = (more: Partial<StoredMessage> = {}): StoredMessage => ({
  ...fakeChatServer().store('you', 'Hello', 'a'),
  ...more,
});
const timelineOf = (...messages: Message[]): OfflineTimeline => ({
  conversationId: messages[0]!.conversationId,
  activity: '',
  changeSeq: 1,
  hasOlder: false,
  count: messages.length,
  nextExpiry: null,
  messages,
});
const unsent = (text: string): UnsentMessage => ({
  clientMessageId: text,
  conversationId: 'c1',
  content: text,
  createdAt: 0,
  refused: null,
});
const chatsOf = (timelines: OfflineTimeline[], messages: UnsentMessage[]): OfflineChats => ({
  listed: true,
  rows: [],
  timelines,
  unsent: messages,
  people: [],
});

test('the device stores no content that can be read without the key, and opens it again', async () => {
  const stored = fakeDevice();
  const device = createSealedDevice(content, stored.device);
  const given = message({
    content: 'Amber lanterns',
    linkPreview: '{"title":"Copper"}',
    extra: { poll: { options: ['Dusty'] } },
    reactions: [{ userId: 'you', emoji: '🦚' }],
    opening: { state: 'open', rowHash: 'h', sentAt: 0, late: false, outOfOrder: false, pinnedBy: null },
  });
  await device.writeChats({ rows: [], timelines: [timelineOf(given)], people: [] });
  await device.putUnsent(unsent('Jade words'));
  const written = [await stored.device.readTimeline(given.conversationId), await stored.device.listUnsent()];
  expect(JSON.stringify(written)).not.toMatch(/Amber|Copper|Dusty|🦚|"content":"Jade/);
  expect((await device.readTimeline(given.conversationId))?.messages).toEqual([given]);
  expect(await device.listUnsent()).toEqual([unsent('Jade words')]);
  const bytes = await content.codec.sealBytes(new Uint8Array([1, 2, 3]), index);
  expect(bytes).toHaveLength(3 + 12 + 16);
  expect(await content.codec.openBytes(bytes, index)).toEqual(new Uint8Array([1, 2, 3]));
});

test('a message that did not change is sealed once', async () => {
  const stored = fakeDevice();
  const device = createSealedDevice(content, stored.device);
  const given = message();
  const write = async () => {
    await device.writeChats({ rows: [], timelines: [timelineOf(given)], people: [] });
    return (await stored.device.readTimeline(given.conversationId))?.messages;
  };
  expect(await write()).toEqual(await write());
});

test('what a previous release stored is opened as it is', async () => {
  const before = contentOf(undefined);
  const given = message({ content: '{', messageType: 'file', fileName: 'plan.pdf' });
  const open = (await before.sealMessage(given)) as unknown as Message;
  expect(await content.openMessage(open)).toEqual(given);
  expect(await content.openText(await before.sealText('{ a draft', { kind: 'draft' }), { kind: 'draft' })).toBe(
    '{ a draft',
  );
});

test('what another key sealed is left out, because the server has it', async () => {
  const lost = contentOf(await createStoreKey());
  const sealed = (await lost.sealMessage(message())) as unknown as Message;
  const stored = fakeDevice();
  await createSealedDevice(lost, stored.device).putUnsent(unsent('Lost'));
  await createSealedDevice(content, stored.device).putUnsent(unsent('Kept'));
  const kept = chatsOf([timelineOf(sealed), timelineOf(message())], [...(await stored.device.listUnsent())]);
  const opened = await openOfflineChats(content, kept);
  expect(opened.timelines).toEqual([timelineOf(message())]);
  expect(opened.unsent).toEqual([unsent('Kept')]);
  await expect(content.openMessage(sealed)).rejects.toMatchObject({ code: 'unopened' });
  await expect(contentOf(undefined).openMessage(sealed)).rejects.toMatchObject({ code: 'unopened' });
});
