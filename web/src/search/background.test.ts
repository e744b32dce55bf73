import type { Conversation, Message } from '@nolo/api';
import type { ChatCore } from '@nolo/client/chat/chatCore';
import { createChatStore } from '@nolo/client/chat/chatStore';
import { feedSearchIndex } from './feed.ts';
import { createOlderMessagesFetchStore, fetchAndIndexOlderMessages } from './fetchAndIndexOlderMessages.ts';
import { createMissedChangesCatchUp, catchUpSearch } from './catchUp.ts';
import { openSearchIndex } from './index/searchIndex.ts';
import type { SearchBlock, BlockMessage, SearchIndexStore } from './index/searchPorts.ts';
import type { IndexUpdate } from './index/searchProtocol.ts';
import { toIndexableMessage, toIndexableMessages } from './toIndexableMessage.ts';

/** In-memory store. */
function memoryStore(): SearchIndexStore {
  const blocks = new Map<number, SearchBlock>();
  const messages = new Map<number, readonly BlockMessage[]>();
  return {
    read: async () => ({ blocks: [...blocks.values()], checkpoints: [], index: undefined }),
    readMessages: async (ids) => ids.map((id) => messages.get(id) ?? []),
    async write(change) {
      for (const { block, messages: held } of change.blocks ?? []) {
        blocks.set(block.id, block);
        if (held) messages.set(block.id, held);
      }
      for (const id of change.removed ?? []) blocks.delete(id);
    },
  };
}

const message = (conversationId: string, seq: number, more: Partial<Message> = {}): Message =>
  ({
    id: `${conversationId}-${seq}`,
    conversationId,
    seq,
    changeSeq: seq,
    senderId: 'ben',
    content: `message ${seq}`,
    messageType: 'text',
    fileName: null,
    voiceMessageTranscription: null,
    linkPreview: null,
    createdAt: new Date(seq * 1_000).toISOString(),
    deletedAt: null,
    expiresAt: null,
    ...more,
  }) as Message;

const passing = { code: 'unavailable', message: '', passing: true, retryAfterMs: 1 };
const pace = { rest: async () => {}, waitUntilOnline: async () => {} };

/** Sets up a server with these conversations, and a search that receives what the worker does. */
async function scene(rows: (Partial<Conversation> & { id: string; lastSeq: number })[], firstSeq = 1) {
  const index = await openSearchIndex(memoryStore(), () => 0);
  let tail: Promise<unknown> = Promise.resolve();
  const apply = (update: IndexUpdate): Promise<void> => {
    if (update.type === 'learn') return index.learn(update.messages);
    if (update.type === 'advance') return index.advance(update.conversationId, update.from, update.to);
    if (update.type === 'begins') return index.begins(update.conversationId, update.first);
    if (update.type === 'clear') return index.clear(update.conversationId, update.clearedSeq);
    return update.type === 'forget' ? index.forget(update.conversationId) : Promise.resolve();
  };
  const client = {
    sendUpdate: (update: IndexUpdate) => void (tail = tail.then(() => apply(update))),
    status: () => tail.then(() => index.status()),
  };
  const requests: string[] = [];
  const failures: object[] = [];
  const changes = new Map<string, Message[]>();
  const api = {
    listConversations: async () => ({
      items: rows.map((row) => ({ clearedSeq: 0, changeSeq: row.lastSeq, ...row })),
      nextCursor: null,
    }),
    getConversation: async (id: string) => {
      throw Object.assign(new Error(id), { code: 'conversation_not_found' });
    },
    listMessages: async (id: string, { before = 0, limit = 50 }: { before?: number; limit?: number }) => {
      const failure = failures.pop();
      if (failure) throw Object.assign(new Error(), failure);
      requests.push(`${id} ${before}`);
      const first = Math.max(firstSeq, before - limit);
      const items = Array.from({ length: Math.max(0, before - first) }, (_, place) => message(id, first + place));
      return { items, nextCursor: first > firstSeq ? 'older' : null };
    },
    listChanges: async (id: string, since: number) => {
      requests.push(`${id} since ${since}`);
      const all = changes.get(id) ?? [];
      return {
        changes: all.map((one) => ({ type: 'message', message: one })),
        changeSeq: all.at(-1)?.changeSeq ?? since,
        hasMore: false,
      };
    },
  };
  const failureOf = (error: unknown) => ({ passing: false, code: '', message: '', ...(error as object) });
  const core = { api, failureOf, openRows: async (rows: readonly Message[]) => rows } as unknown as ChatCore;
  const older = createOlderMessagesFetchStore();
  const fetch = () => fetchAndIndexOlderMessages({ core, client, pace, store: older });
  return { index, client, core, asked: requests, failures, changes, older, fetch, settled: () => tail };
}

const find = async ({ index, settled }: Awaited<ReturnType<typeof scene>>, typed: string) => {
  await settled();
  return (await index.search({ typed, filter: {}, limit: 50 })).found.map(
    ({ conversationId, seq }) => `${conversationId} ${seq}`,
  );
};

test('older messages are loaded once, past those already here, and a restart resumes where it stopped', async () => {
  const one = await scene([
    { id: 'a', lastSeq: 250 },
    { id: 'b', lastSeq: 3 },
  ]);
  one.client.sendUpdate({
    type: 'learn',
    messages: Array.from({ length: 50 }, (_, n) => toIndexableMessage(message('a', 201 + n))),
  });
  await one.fetch();
  expect(one.asked).toEqual(['a 201', 'a 101', 'b 4']);
  expect(one.older.getState()).toEqual({ state: 'done', held: 253, total: 253 });
  expect(await find(one, '7')).toContain('a 7');
  expect(one.index.status().checkpoints).toContainEqual({ conversationId: 'b', changeSeq: 3, first: 1 });
  one.asked.length = 0;
  await one.fetch();
  expect(one.asked).toEqual([]);
});

test('the total leaves out messages from before joining or clearing a chat', async () => {
  const one = await scene(
    [
      { id: 'a', lastSeq: 120, clearedSeq: 20 },
      { id: 'b', lastSeq: 90 },
    ],
    81,
  );
  await one.fetch();
  expect(one.older.getState()).toEqual({ state: 'done', held: 50, total: 50 });
  one.asked.length = 0;
  await one.fetch();
  expect(one.asked).toEqual([]);
});

test('a busy server is asked again, and a refusal ends the run', async () => {
  const one = await scene([{ id: 'a', lastSeq: 3 }]);
  one.failures.push(passing);
  await one.fetch();
  expect(one.older.getState().state).toBe('done');
  const other = await scene([{ id: 'a', lastSeq: 3 }]);
  other.failures.push({ code: 'forbidden', passing: false });
  await expect(other.fetch()).rejects.toThrow();
});

test('changes missed while disconnected are fetched, and conversations that were left are forgotten', async () => {
  const one = await scene([
    { id: 'a', lastSeq: 2, changeSeq: 9 },
    { id: 'b', lastSeq: 1 },
  ]);
  for (const id of ['a', 'b', 'left']) {
    one.client.sendUpdate({
      type: 'learn',
      messages: [toIndexableMessage(message(id, 1)), toIndexableMessage(message(id, 2))],
    });
    one.client.sendUpdate({ type: 'advance', conversationId: id, from: null, to: 2 });
  }
  one.changes.set('a', [
    message('a', 1, { changeSeq: 8, deletedAt: new Date(0).toISOString(), content: '' }),
    message('a', 2, { changeSeq: 9, content: 'changed' }),
  ]);
  await catchUpSearch(one.core, one.client, pace);
  expect(await find(one, 'message')).toEqual(['b 2', 'b 1']);
  expect(await find(one, 'changed')).toEqual(['a 2']);
  expect(one.asked).toEqual(['a since 2']);
  expect(one.index.status().checkpoints).toContainEqual({ conversationId: 'a', changeSeq: 9, first: null });
});

test('a message deleted during a disconnect is not found after it', async () => {
  const one = await scene([{ id: 'a', lastSeq: 1, changeSeq: 2 }]);
  one.client.sendUpdate({ type: 'learn', messages: [toIndexableMessage(message('a', 1))] });
  one.client.sendUpdate({ type: 'advance', conversationId: 'a', from: null, to: 1 });
  one.changes.set('a', [message('a', 1, { changeSeq: 2, deletedAt: new Date(0).toISOString(), content: '' })]);
  const store = createChatStore('ada');
  const catchUp = createMissedChangesCatchUp(() => catchUpSearch(one.core, one.client, pace));
  let running = Promise.resolve();
  const timers = { after: () => () => undefined };
  const end = feedSearchIndex(
    { ...one.core, store, timers, watchers: new Set() } as unknown as ChatCore,
    one.client,
    () => void (running = catchUp()),
  );
  store.setState({ connection: 'connecting' });
  expect(await find(one, 'message')).toEqual(['a 1']);
  store.setState({ connection: 'open' });
  await running;
  expect(await find(one, 'message')).toEqual([]);
  end();
});

test('a miss during a run starts one more run, also after a run that failed', async () => {
  let runs = 0;
  const catchUp = createMissedChangesCatchUp(async () => {
    runs += 1;
    if (runs === 1) {
      void catchUp();
      void catchUp();
      throw new Error('out of reach');
    }
  });
  await catchUp();
  expect(runs).toBe(2);
  await catchUp();
  expect(runs).toBe(3);
});

describe('rows of sealed conversations', () => {
  const sealed = { encryption: 'epochs', content: '', sealed: 'bytes' } as const;
  const opening = { state: 'open', rowHash: 'h', sentAt: 0, late: false, outOfOrder: false, pinnedBy: null } as const;
  const opened = (seq: number, content: string, more: Partial<Message> = {}) =>
    message('a', seq, { encryption: 'epochs', content, opening, ...more } as Partial<Message>);
  const asServed = (one: Message) => ({ ...one, ...sealed, opening: undefined }) as Message;
  const timers = { after: (_: number, task: () => void) => (queueMicrotask(task), () => undefined) };

  it('are indexed once they open, and when they change', async () => {
    const one = await scene([]);
    const watchers: ChatCore['watchers'] = new Set();
    const core = { ...one.core, store: createChatStore('ada', true), timers, watchers } as unknown as ChatCore;
    const end = feedSearchIndex(core, one.client, () => undefined);
    const tell = async (told: Message) => {
      for (const { onMessages } of watchers) onMessages([told]);
      await Promise.resolve();
    };
    const row = asServed(opened(1, 'amber lanterns'));
    await tell({ ...row, opening: { state: 'closed', row } } as Message);
    expect(await find(one, 'amber')).toEqual([]);
    await tell({ ...row, opening: { state: 'waiting', row } } as Message);
    expect(one.index.status().held).toEqual({});
    await tell(opened(1, 'amber lanterns'));
    expect(await find(one, 'amber')).toEqual(['a 1']);
    await tell(opened(1, 'bronze lanterns', { changeSeq: 2 }));
    expect([await find(one, 'amber'), await find(one, 'bronze')]).toEqual([[], ['a 1']]);
    const gone = { ...asServed(opened(1, '')), changeSeq: 3, deletedAt: new Date(0).toISOString() };
    await tell({ ...gone, opening: { state: 'deleted', by: 'ben', rowHash: 'h' } } as Message);
    expect(await find(one, 'bronze')).toEqual([]);
    end();
  });

  it('of history are opened before they are indexed; one that waits is indexed when it opens', async () => {
    const one = await scene([{ id: 'a', lastSeq: 3 }]);
    const openRows = async (rows: readonly Message[]) =>
      rows.map((row) =>
        row.seq === 2
          ? ({ ...asServed(row), opening: { state: 'waiting', row: asServed(row) } } as Message)
          : opened(row.seq, `amber ${row.seq}`),
      );
    const core = { ...one.core, openRows } as unknown as ChatCore;
    const { client, older } = one;
    await fetchAndIndexOlderMessages({ core, client, pace, store: older });
    expect(await find(one, 'amber')).toEqual(['a 3', 'a 1']);
    client.sendUpdate({ type: 'learn', messages: toIndexableMessages([opened(2, 'amber 2')]) });
    expect(await find(one, 'amber')).toEqual(['a 3', 'a 2', 'a 1']);
  });
});

test('captions, file names, transcripts and link titles are searched, and deleted text is not', () => {
  const preview = JSON.stringify({ url: 'https://example.org/a', title: 'A fine page' });
  const searched = (more: Partial<Message>) => toIndexableMessage(message('a', 1, more));
  expect(searched({ messageType: 'file', fileName: 'Budget.xlsx', content: 'as agreed' })).toMatchObject({
    kind: 'file',
    text: 'as agreed\nBudget.xlsx',
  });
  expect(
    searched({ messageType: 'voice', fileName: 'note.webm', content: '', voiceMessageTranscription: 'Hello' }),
  ).toMatchObject({ kind: 'voice', text: 'Hello' });
  expect(searched({ content: 'see https://example.org/a', linkPreview: preview })).toMatchObject({
    kind: 'link',
    text: 'see https://example.org/a\nA fine page',
  });
  expect(searched({ messageType: 'image', content: 'the bay' })).toMatchObject({ kind: 'media', text: 'the bay' });
  expect(searched({ messageType: 'system', content: '{}' })).toMatchObject({ kind: 'none', text: '' });
  expect(searched({ hidden: true })).toMatchObject({ kind: 'none', text: '' });
});
