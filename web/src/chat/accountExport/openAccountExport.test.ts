import type { Message } from '@nolo/api';
import type { OpenedRow } from '@nolo/client/keys/conversations/rowTypes';
import { strFromU8, strToU8, unzipSync, zipSync, type Zippable } from 'fflate';
import { createMemoryExportSink } from '../chatExport/exportSink.ts';
import { createZipStream } from '../chatExport/zipStream.ts';
import { openAccountExport, openExportFile, type AccountExportOptions } from './openAccountExport.ts';

const uuid = (digits: string) => `00000000-0000-4000-8000-${digits.padStart(12, '0')}`;
const [ada, ben, chat, club, device] = ['a', 'b', 'c1', 'c2', 'd1'].map(uuid) as [
  string,
  string,
  string,
  string,
  string,
];
const fileId = uuid('f1');

/** Bytes with both signs that differ between the alphabets of base64. */
const bytes = Buffer.from([251, 239, 190, 255]).toString('base64');

function exportedRow(conversationId: string, seq: number, more: object = {}) {
  return {
    id: uuid(`${conversationId.slice(-1)}${seq}`),
    conversationId,
    senderId: seq % 2 === 0 ? ben : ada,
    seq,
    changeSeq: seq,
    content: `{"v":1,"text":"plain ${seq}"}`,
    encryption: 'none',
    messageType: 'text',
    clientMessageId: uuid(`${seq}`),
    mentions: [],
    forwarded: false,
    reactions: [],
    createdAt: '2026-11-25T10:00:00.000Z',
    held: false,
    hidden: false,
    ...more,
  };
}

const seal = {
  sealed: bytes,
  epoch: 0,
  deviceId: device,
  version: 0,
  place: 0,
  own: [bytes],
  targetRow: null,
  rowHash: bytes,
  origin: null,
  hasLink: false,
  deletion: null,
  annotations: [],
  held: false,
  draftOrigin: null,
};
const sealedRow = (seq: number, more: object = {}) =>
  exportedRow(chat, seq, { content: '', encryption: 'epochs', sealed: seal, ...more });

const lines = (rows: readonly object[]) => strToU8(rows.map((row) => `${JSON.stringify(row)}\n`).join(''));

/** Returns the archive of an export. */
function archive(rows: readonly object[], more: Zippable = {}): Uint8Array<ArrayBuffer> {
  return zipSync({
    'account.json': strToU8(JSON.stringify({ profile: { id: ada } })),
    'groups.jsonl': lines([{ id: club, name: 'Walkers / club' }]),
    'messages.jsonl': lines(rows),
    ...more,
  }) as Uint8Array<ArrayBuffer>;
}

const openFile = (zip: Uint8Array<ArrayBuffer>) => openExportFile(new Blob([zip]), ada);

const opened = (messageId: string, text: string): OpenedRow => ({
  messageId,
  state: 'open',
  content: JSON.stringify({ v: 1, text }),
  sentAt: 0,
  expiresAt: null,
  rowHash: 'h',
  late: false,
  outOfOrder: false,
  reactions: [],
  pinnedBy: null,
  draftAuthor: null,
});

/** Opens sealed rows with an even number, as a device that has the keys of some epochs. */
function port() {
  const calls: { id: string; rows: readonly Message[]; kind: string | undefined }[] = [];
  const open: NonNullable<AccountExportOptions['port']>['open'] = async (id, rows, kind) => {
    calls.push({ id, rows, kind });
    return rows.map((row) =>
      row.seal === undefined
        ? { messageId: row.id, state: 'plain' }
        : row.seq % 2 === 0
          ? opened(row.id, `opened ${row.seq}`)
          : { messageId: row.id, state: 'waiting' },
    );
  };
  return { calls, port: { open, listSealed: async () => [] } };
}

async function read(zip: Uint8Array<ArrayBuffer>, more: Partial<AccountExportOptions> = {}) {
  let saved: Blob | undefined;
  const progress: number[] = [];
  const controller = new AbortController();
  const sink = createMemoryExportSink('opened.zip', (blob) => (saved = blob));
  const result = await openAccountExport({
    file: await openFile(zip),
    selfId: ada,
    port: port().port,
    openContent: async (row) => ({ ...row, content: row.content && JSON.parse(row.content).text }),
    learnNames: async () => undefined,
    titleOf: async (_id, group) => group ?? 'Ben',
    words: (title) => ({
      head: { language: 'en', direction: 'ltr', title, lead: 'Exported' },
      nameOf: (userId) => (userId === ada ? 'Ada' : 'Ben'),
      dayOf: (time) => time.slice(0, 10),
      timeOf: (time) => time.slice(11, 16),
      summary: ({ messageType, fileName }) => fileName ?? messageType,
      edited: 'edited',
      forwarded: 'forwarded',
      unopened: 'cannot be opened',
    }),
    title: 'Your chats',
    zip: createZipStream(sink, controller.signal),
    signal: controller.signal,
    onProgress: (share) => progress.push(share),
    ...more,
  });
  await sink.close();
  const entries = unzipSync(new Uint8Array(await saved!.arrayBuffer()));
  return { result, progress, paths: Object.keys(entries), text: (path: string) => strFromU8(entries[path]!) };
}

test('every chat becomes readable, and messages that stay closed say so and are counted', async () => {
  const { calls, port: keys } = port();
  const rows = [exportedRow(chat, 1), sealedRow(2), sealedRow(3), exportedRow(club, 1)];
  const { result, paths, progress, text } = await read(archive(rows), { port: keys });
  expect(result).toEqual({ chats: 2, messages: 4, unopened: 1, files: 0, missing: 0 });
  const first = 'chats/0001 Ben';
  expect(paths).toContain(`${first}/index.html`);
  expect(JSON.parse(text(`${first}/messages.json`))).toMatchObject([
    { text: 'plain 1' },
    { text: 'opened 2', from: { id: ben } },
    { text: 'cannot be opened', unopened: true },
  ]);
  expect(text(`${first}/index.html`)).toContain('opened 2');
  expect(paths.some((path) => path.startsWith('chats/0002 Walkers'))).toBe(true);
  expect(text('index.html')).toContain('<a href="chats/0001%20Ben/index.html"><bdi>Ben</bdi></a>');
  expect(text('index.html')).toContain('<bdi>Walkers / club</bdi>');
  expect(progress.at(-1)).toBe(1);
  // Rows of a file are opened apart, as the API serves them; a conversation without seals needs no keys.
  expect(calls.map(({ id, kind }) => [id, kind])).toEqual([[chat, 'exported']]);
  expect(calls[0]?.rows[1]).toMatchObject({ sealed: '----_w', seal: { rowHash: '----_w', draftId: null } });
});

test('long chats are opened 50 messages at a time', async () => {
  const { calls, port: keys } = port();
  const rows = Array.from({ length: 120 }, (_, index) => sealedRow(index + 1));
  expect((await read(archive(rows), { port: keys })).result).toMatchObject({ chats: 1, messages: 120, unopened: 60 });
  expect(calls.map(({ rows: page }) => page.length)).toEqual([50, 50, 20]);
});

test('files of messages come along, and those that the export lacks are counted', async () => {
  const file = (seq: number, id: string) =>
    exportedRow(chat, seq, { messageType: 'file', attachment: { fileUrl: `/objects/${id}`, fileSize: 5 } });
  const rows = [file(1, fileId), file(2, uuid('f2'))];
  const withFile = archive(rows, { [`files/${fileId}-plan.txt`]: [strToU8('plans'), { level: 0 }] });
  const { result, paths, text } = await read(withFile);
  expect(result).toMatchObject({ messages: 2, files: 1, missing: 1 });
  const path = paths.find((one) => one.startsWith('chats/0001 Ben/files/1-'))!;
  expect(text(path)).toBe('plans');
});

test('names of entries and chats lead nowhere else', async () => {
  const rows = [exportedRow(chat, 1)];
  for (const name of ['../../evil.html', `files/${fileId}/../../evil`])
    await expect(read(archive(rows, { [name]: strToU8('evil') }))).rejects.toMatchObject({ code: 'damaged' });
  const { paths } = await read(archive(rows, { 'evil.html': strToU8('evil') }), {
    titleOf: async () => '../..\\..:/etc',
  });
  for (const path of paths) expect(path).not.toMatch(/evil|(^|\/)\.\.(\/|$)|\\/u);
});

test('a device without keys opens what is not sealed, and nothing else', async () => {
  expect((await read(archive([exportedRow(chat, 1)]), { port: null })).result.messages).toBe(1);
  await expect(read(archive([sealedRow(1)]), { port: null })).rejects.toMatchObject({ code: 'no_keys' });
});

test('a file of another kind, and the export of somebody else, are refused before anything is saved', async () => {
  const refusalOf = (zip: Uint8Array<ArrayBuffer>) =>
    openFile(zip).then(
      () => undefined,
      ({ code }: { code: string }) => code,
    );
  expect(await refusalOf(new Uint8Array())).toBe('not_export');
  expect(await refusalOf(new Uint8Array(Buffer.from('%PDF-1.7 and more of it')))).toBe('not_export');
  const other = zipSync({ 'photo.txt': strToU8('a') }) as Uint8Array<ArrayBuffer>;
  expect(await refusalOf(other)).toBe('not_export');
  const foreign = { 'account.json': strToU8(JSON.stringify({ profile: { id: ben } })) };
  expect(await refusalOf(archive([], foreign))).toBe('foreign');
  const whole = archive([exportedRow(chat, 1)]);
  for (const end of [5, 60, whole.length / 2, whole.length - 30, whole.length - 1])
    expect(await refusalOf(whole.slice(0, Math.floor(end)))).toBe('damaged');
});

/** Changes a field of the directory's entry of the messages. */
function withDirectory(zip: Uint8Array<ArrayBuffer>, field: number, value: number): Uint8Array<ArrayBuffer> {
  const changed = zip.slice();
  const at = Buffer.from(changed).lastIndexOf('messages.jsonl') - 46;
  new DataView(changed.buffer).setUint32(at + field, value, true);
  return changed;
}

test.each([
  ['more bytes than it says', 24, 10],
  ['fewer bytes than it says', 24, 1_000_000],
  ['bytes past the end', 20, 0x7fff_ffff],
  ['its place past the end', 42, 0x7fff_ffff],
  ['a ZIP64 number that is not there', 42, 0xffff_ffff],
])('an entry with %s is damaged', async (_, field, value) => {
  const zip = withDirectory(archive([exportedRow(chat, 1)]), field, value);
  await expect(read(zip)).rejects.toMatchObject({ code: 'damaged' });
});

test.each([
  ['no JSON', strToU8('{"id":\n')],
  ['a line without an end', strToU8(JSON.stringify(exportedRow(chat, 1)))],
  ['invalid ids', lines([exportedRow(chat, 1, { senderId: '../x' })])],
  ['an invalid seal', lines([sealedRow(1, { sealed: { ...seal, deviceId: 7 } })])],
])('messages with %s are damaged', async (_, content) => {
  await expect(read(archive([], { 'messages.jsonl': content }))).rejects.toMatchObject({ code: 'damaged' });
});

test('a cancelled export stops', async () => {
  const controller = new AbortController();
  const rows = Array.from({ length: 120 }, (_, index) => sealedRow(index + 1));
  const { port: keys } = port();
  const stopping = {
    ...keys,
    open: (...call: Parameters<typeof keys.open>) => (controller.abort(), keys.open(...call)),
  };
  await expect(read(archive(rows), { port: stopping, signal: controller.signal })).rejects.toMatchObject({
    name: 'AbortError',
  });
});
