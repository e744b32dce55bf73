import type { Message } from '@nolo/api';
import { strFromU8, unzipSync } from 'fflate';
import { exportChat } from './chatExport.ts';
import type { ChatExportOptions } from './chatExport.ts';
import { createMemoryExportSink } from './exportSink.ts';
import { createZipStream } from './zipStream.ts';

const [ada, ben] = ['00000000-0000-4000-8000-00000000000a', '00000000-0000-4000-8000-00000000000b'];
const object = (digit: number) => `/objects/00000000-0000-4000-8000-00000000000${digit}`;

function aMessage(seq: number, more: Partial<Message> = {}): Message {
  return {
    id: `m${seq}`,
    conversationId: 'c',
    senderId: seq % 2 === 0 ? ben : ada,
    sender: null,
    seq,
    changeSeq: seq,
    content: `message ${seq}`,
    encryption: 'none',
    messageType: 'text',
    clientMessageId: null,
    fileUrl: null,
    fileName: null,
    fileSize: null,
    voiceMessageUrl: null,
    voiceMessageDuration: null,
    voiceMessageTranscription: null,
    mediaInfo: null,
    previewUrl: null,
    mentions: [],
    replyTo: null,
    forwarded: false,
    linkPreview: null,
    reactions: [],
    pinnedAt: null,
    expiresAt: null,
    createdAt: `2026-11-${seq < 3 ? '25' : '26'}T10:00:00.000Z`,
    editedAt: null,
    deletedAt: null,
    ...more,
  };
}

/** Exports these messages, two per page, and returns the result. */
async function taken(messages: readonly Message[], more: Partial<ChatExportOptions> = {}) {
  let archive: Blob | undefined;
  const requests: number[] = [];
  const progress: number[] = [];
  const abort = new AbortController();
  const sink = createMemoryExportSink('chat.zip', (blob) => (archive = blob));
  const zip = createZipStream(sink, abort.signal);
  const outcome = await exportChat({
    conversation: { id: 'c', type: 'direct', lastSeq: messages.length, clearedSeq: 0 },
    selfId: ada,
    api: {
      async listMessages(_id, { after = 0 }) {
        requests.push(after);
        const items = messages.filter(({ seq }) => seq > after).slice(0, 2);
        const isLast = items.at(-1)?.seq === messages.at(-1)?.seq;
        return { items, nextCursor: isLast ? null : 'more' };
      },
    },
    load: async (url) => new Blob([`bytes of ${url}`]),
    withFiles: false,
    words: {
      head: { language: 'en', direction: 'ltr', title: 'Ada & Ben', lead: 'Exported' },
      nameOf: (userId) => (userId === ada ? 'Ada' : 'Ben'),
      dayOf: (time) => time.slice(0, 10),
      timeOf: (time) => time.slice(11, 16),
      summary: ({ messageType, fileName }) => fileName ?? messageType,
      edited: 'edited',
      forwarded: 'forwarded',
      unopened: 'cannot be opened',
    },
    zip,
    signal: abort.signal,
    onProgress: (share) => progress.push(share),
    ...more,
  });
  await sink.close();
  const entries = unzipSync(new Uint8Array(await archive!.arrayBuffer()));
  const text = (path: string) => strFromU8(entries[path] ?? new Uint8Array());
  return {
    outcome,
    asked: requests,
    progress,
    paths: Object.keys(entries),
    text,
    rows: JSON.parse(text('messages.json')),
  };
}

test('everything is read once, oldest first, and written for people and for programs', async () => {
  const reaction = { emoji: '👍', userId: ben, createdAt: '2026-11-26T10:00:00.000Z' } as Message['reactions'][number];
  const {
    outcome,
    asked: requests,
    progress,
    paths,
    text,
    rows,
  } = await taken([
    aMessage(1),
    aMessage(2, { replyTo: { seq: 1, messageId: 'm1', senderId: ada }, editedAt: '2026-11-25T11:00:00.000Z' }),
    aMessage(3, { content: '<script>alert(1)</script>', reactions: [reaction] }),
  ]);
  expect(outcome).toEqual({ messages: 3, unopened: 0, files: 0, missing: 0 });
  expect(requests).toEqual([0, 2]);
  expect(progress.at(-1)).toBe(1);
  expect(progress).toEqual(progress.toSorted((a, b) => a - b));
  expect(paths.toSorted()).toEqual(['index.html', 'messages.json']);
  expect(rows).toMatchObject([
    { seq: 1, from: { id: ada, name: 'Ada' }, text: 'message 1', sentAt: '2026-11-25T10:00:00.000Z' },
    { seq: 2, answers: 1, editedAt: '2026-11-25T11:00:00.000Z' },
    { seq: 3, reactions: [{ emoji: '👍', from: ben }] },
  ]);
  const page = text('index.html');
  expect(page).toContain('Ada &amp; Ben');
  expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  expect(page).not.toContain('<script');
  expect(page.match(/<h2>/g)).toHaveLength(2);
  expect(page).toContain('<bdi>Ben</bdi> · 10:00 · edited');
});

test('an approved message is its author’s, in replies too', async () => {
  const opening = { state: 'open', rowHash: 'h', sentAt: 0, late: false, outOfOrder: false, pinnedBy: null } as const;
  const approved = aMessage(1, { senderId: ada, opening: { ...opening, approvedBy: ben } } as Partial<Message>);
  const reply = aMessage(2, { senderId: ben, replyTo: { seq: 1, messageId: 'm1', senderId: ben } });
  const { rows, text } = await taken([approved, reply]);
  expect(rows).toMatchObject([{ from: { id: ada, name: 'Ada' } }, { from: { id: ben }, answers: 1 }]);
  expect(text('index.html')).toContain('<a href="#m1">↩ <bdi>Ada</bdi></a>');
});

test('opened messages of a sealed conversation are written, and the others say that they are closed', async () => {
  const sealed = { encryption: 'epochs' as const, content: '' };
  const opening = { state: 'open', rowHash: 'h', sentAt: 0, late: false, outOfOrder: false, pinnedBy: null } as const;
  const { rows, text, paths, outcome } = await taken(
    [
      aMessage(1, { ...sealed, content: 'Amber lanterns', opening } as Partial<Message>),
      aMessage(2, { ...sealed, sealed: 'bytes' }),
      aMessage(3, { ...sealed, messageType: 'image', fileUrl: object(3), sealed: 'bytes' }),
    ],
    { withFiles: true },
  );
  expect(rows).toMatchObject([
    { seq: 1, text: 'Amber lanterns' },
    { seq: 2, text: 'cannot be opened', unopened: true },
    { seq: 3, text: 'cannot be opened', unopened: true },
  ]);
  expect(text('index.html').match(/cannot be opened/g)).toHaveLength(2);
  expect(text('messages.json') + text('index.html')).not.toMatch(/bytes|objects/);
  expect([paths.length, outcome.missing, outcome.unopened]).toEqual([2, 0, 2]);
});

test('deleted, hidden, expiring and cleared messages are left out', async () => {
  const {
    outcome,
    asked: requests,
    rows,
  } = await taken(
    [
      aMessage(1),
      aMessage(2, { deletedAt: '2026-11-25T11:00:00.000Z', content: '' }),
      aMessage(3, { expiresAt: '2026-11-27T10:00:00.000Z' }),
      aMessage(4, { hidden: true }),
      aMessage(5),
    ],
    { conversation: { id: 'c', type: 'direct', lastSeq: 5, clearedSeq: 1 } },
  );
  expect(requests[0]).toBe(1);
  expect(outcome.messages).toBe(1);
  expect(rows.map(({ seq }: { seq: number }) => seq)).toEqual([5]);
});

const file = (seq: number, name: string | null, url: string | null): Message =>
  aMessage(seq, { messageType: 'file', content: '', fileUrl: url, fileName: name, fileSize: 40 });

test('a conversation is exported whatever its file names are', async () => {
  const names = [`${'a'.repeat(59)}😀${'b'.repeat(40)}.txt`, `${'a'.repeat(115)}😀.txt`, 'half\ud83d.txt'];
  const messages = names.map((name, index) => file(index + 1, name, object(index + 1)));
  const { outcome, text, paths } = await taken(messages, { withFiles: true });
  expect(outcome).toMatchObject({ messages: 3, files: 3, missing: 0 });
  expect(text('index.html')).toContain('href="files/3-half.txt"');
  expect(paths).toContain(`files/2-${'a'.repeat(115)}.txt`);
});

test('files are included on request, under safe names, and a missing one is counted', async () => {
  const messages = [
    file(1, '../../plan?.txt', object(1)),
    file(2, 'gone.txt', object(2)),
    file(3, 'elsewhere.txt', 'https://tracker.example/x'),
  ];
  const without = await taken(messages);
  expect(without.paths.toSorted()).toEqual(['index.html', 'messages.json']);
  expect(without.rows[0].file).toEqual({ name: '../../plan?.txt', bytes: 40, path: null });

  const loaded: string[] = [];
  const { outcome, paths, text, rows } = await taken(messages, {
    withFiles: true,
    async load(url) {
      loaded.push(url);
      if (url === object(2)) throw new Error('not found');
      return new Blob([`bytes of ${url}`]);
    },
  });
  expect(outcome).toEqual({ messages: 3, unopened: 0, files: 1, missing: 1 });
  expect(loaded).toEqual([object(1), object(2)]);
  const [path = ''] = paths.filter((one) => one.startsWith('files/'));
  expect(path).toBe('files/1-_.._plan_.txt');
  expect(text(path)).toBe(`bytes of ${object(1)}`);
  expect(rows[0].file.path).toBe(path);
});

test('a cancelled export ends at once, and requests nothing more', async () => {
  const abort = new AbortController();
  const sink = createMemoryExportSink('chat.zip', () => {
    throw new Error('nothing is saved');
  });
  let pages = 0;
  const giving = taken([aMessage(1), aMessage(2), aMessage(3)], {
    signal: abort.signal,
    zip: createZipStream(sink, abort.signal),
    api: {
      async listMessages() {
        pages += 1;
        abort.abort(new Error('given up'));
        return { items: [aMessage(pages)], nextCursor: 'more' };
      },
    },
  });
  await expect(giving).rejects.toThrow('given up');
  expect(pages).toBe(1);
});
