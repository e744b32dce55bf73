import type { Conversation, Message, Self } from '@nolo/api';
import { offlineChatLimits } from '../src/chat/offlineChats.ts';
import type { AccountStorage, OfflineTimeline, UnsentMessage } from '../src/chat/ports.ts';

const time = (n: number) => new Date(n * 1_000).toISOString();

export const storedRow = (id: string, changeSeq: number, at = 0): Conversation =>
  ({ id, changeSeq, createdAt: time(at), lastMessage: null }) as unknown as Conversation;

export const storedTimeline = (conversationId: string, changeSeq: number, at = 0): OfflineTimeline => ({
  conversationId,
  changeSeq,
  activity: time(at),
  hasOlder: false,
  count: 1,
  nextExpiry: null,
  messages: [{ id: `${conversationId}-${changeSeq}`, expiresAt: null } as Message],
});

export const unsentMessage = (clientMessageId: string): UnsentMessage => ({
  clientMessageId,
  conversationId: 'c1',
  content: clientMessageId,
  createdAt: 1,
  refused: null,
});

/**
 * Tests what every device storage of the chat engine promises.
 *
 * @param open opens one account's storage. Storages opened in one test share their data.
 */
export function describeAccountStorage(open: () => AccountStorage): void {
  test('the next start finds the person, the list, and the messages of the opened conversation', async () => {
    const before = open();
    expect(await before.readAccount()).toEqual(
      expect.objectContaining({ self: undefined, listed: false, rows: [], timelines: [], unsent: [], people: [] }),
    );
    await before.putSelf({ id: 'ada' } as Self);
    const ben = { id: 'ben', firstName: 'Ben', displayName: 'Ben B', profileImageUrl: null };
    await before.writeChats({
      rows: [storedRow('c1', 3), storedRow('c2', 1)],
      timelines: [storedTimeline('c1', 3), storedTimeline('c2', 1)],
      people: [ben],
    });
    await before.putUnsent(unsentMessage('one'));
    before.close();
    const kept = await open().readAccount('c1');
    expect(kept.self).toEqual({ id: 'ada' });
    expect(kept.listed).toBe(true);
    expect(kept.rows.map(({ id }) => id)).toEqual(['c1', 'c2']);
    expect(kept.timelines).toEqual([storedTimeline('c1', 3)]);
    expect(kept.unsent).toEqual([unsentMessage('one')]);
    expect(kept.people).toEqual([expect.objectContaining(ben)]);
  });

  test('an empty list is stored too', async () => {
    const storage = open();
    await storage.writeChats({ rows: [], timelines: [], people: [] });
    expect(await storage.readAccount()).toMatchObject({ listed: true, rows: [] });
  });

  test('a client with older data does not overwrite what another received', async () => {
    const [ahead, behind] = [open(), open()];
    await ahead.writeChats({ rows: [storedRow('c1', 7)], timelines: [storedTimeline('c1', 7)], people: [] });
    await behind.writeChats({ rows: [storedRow('c1', 6)], timelines: [storedTimeline('c1', 6)], people: [] });
    const kept = await behind.readAccount('c1');
    expect(kept.rows[0]?.changeSeq).toBe(7);
    expect(kept.timelines[0]).toMatchObject({ changeSeq: 7, messages: [{ id: 'c1-7' }] });
  });

  test('only a limited number of the latest conversations is stored', async () => {
    const storage = open();
    const all = Array.from({ length: offlineChatLimits.rows + 5 }, (_, n) => n);
    await storage.writeChats({
      rows: all.map((n) => storedRow(`c${n}`, 1, n)),
      timelines: all.slice(-60).map((n) => storedTimeline(`c${n}`, 1, n)),
      people: [],
    });
    const kept = await storage.readAccount();
    expect(kept.rows).toHaveLength(offlineChatLimits.rows);
    expect(kept.rows.some(({ id }) => id === 'c4')).toBe(false);
    expect(await storage.listTimelineCheckpoints()).toHaveLength(offlineChatLimits.timelines);
    const newest = offlineChatLimits.rows + 4;
    expect(await storage.readTimeline(`c${newest - offlineChatLimits.timelines}`)).toBeUndefined();
    expect(await storage.readTimeline(`c${newest}`)).toMatchObject({ changeSeq: 1 });
  });

  test('a conversation that the person left is removed with its messages', async () => {
    const storage = open();
    await storage.writeChats({
      rows: [storedRow('c1', 1), storedRow('c2', 1)],
      timelines: [storedTimeline('c1', 1), storedTimeline('c2', 1)],
      people: [],
    });
    await storage.removeChat('c1');
    await storage.removeChat('never there');
    expect((await storage.readAccount()).rows.map(({ id }) => id)).toEqual(['c2']);
    expect(await storage.readTimeline('c1')).toBeUndefined();
    expect((await storage.listTimelineCheckpoints()).map(({ conversationId }) => conversationId)).toEqual(['c2']);
  });

  test('unsent messages keep the order in which they were written, also when one is written again', async () => {
    const storage = open();
    for (const id of ['one', 'two', 'three']) await storage.putUnsent(unsentMessage(id));
    await storage.putUnsent({ ...unsentMessage('two'), refused: { code: 'blocked', message: '' } });
    const ids = async () => (await storage.listUnsent()).map(({ clientMessageId }) => clientMessageId);
    expect(await ids()).toEqual(['one', 'two', 'three']);
    await storage.removeUnsent('one');
    await storage.removeUnsent('never there');
    expect((await storage.listUnsent()).map(({ refused }) => refused?.code)).toEqual(['blocked', undefined]);
    await storage.putUnsent(unsentMessage('one'));
    expect(await ids()).toEqual(['two', 'three', 'one']);
  });

  test('the files of an unsent message stay with it, with their upload state, and are deleted with it', async () => {
    const before = open();
    await before.putUnsent(unsentMessage('one'));
    await before.putFiles('one', {
      file: new Blob(['film'], { type: 'video/mp4' }),
      poster: new Blob(['poster'], { type: 'image/webp' }),
      thumbnails: [200, 1_000].map((width) => ({ width, file: new Blob([`small ${width}`]) })),
    });
    expect(await before.readFiles('one')).not.toHaveProperty('place');
    await before.putUploadPlace('one', { key: 'uploads/f', uploadId: 'u' });
    before.close();
    const storage = open();
    expect(await storage.readUnsent('one')).toEqual(unsentMessage('one'));
    const files = await storage.readFiles('one');
    expect(files).toMatchObject({
      place: { key: 'uploads/f', uploadId: 'u' },
      thumbnails: [{ width: 200 }, { width: 1_000 }],
    });
    await storage.removeUnsent('one');
    expect(await storage.readFiles('one')).toBeUndefined();
    expect(await storage.readUnsent('one')).toBeUndefined();
    // The upload position is gone as well, and belongs to no later message.
    await storage.putFiles('one', { file: new Blob(['another']) });
    expect(await storage.readFiles('one')).not.toHaveProperty('place');
  });

  test('expired messages are not read, and are removed from the storage, including the row', async () => {
    const storage = open();
    const soon = Date.now() + 60_000;
    const fading = { id: 'm1', content: 'secret', expiresAt: new Date(soon).toISOString(), deletedAt: null } as Message;
    await storage.writeChats({
      rows: [{ ...storedRow('c1', 1), lastMessage: { ...fading, timestamp: '' } }],
      timelines: [{ ...storedTimeline('c1', 1), nextExpiry: soon, messages: [fading] }],
      people: [],
    });
    expect(await storage.removeExpired(soon - 1)).toBe(soon);
    expect(JSON.stringify(await storage.readAccount('c1'))).toContain('secret');
    expect(await storage.removeExpired(soon)).toBeNull();
    expect(JSON.stringify(await storage.readAccount('c1'))).not.toContain('secret');
    expect((await storage.listTimelineCheckpoints())[0]?.nextExpiry).toBeNull();
  });

  test('what has expired since it was stored is not read', async () => {
    const storage = open();
    const expiresAt = new Date(Date.now() - 1).toISOString();
    const faded = { id: 'm1', content: 'secret', expiresAt, deletedAt: null } as Message;
    await storage.writeChats({
      rows: [{ ...storedRow('c1', 1), lastMessage: { ...faded, timestamp: '' } }],
      timelines: [{ ...storedTimeline('c1', 1), nextExpiry: Date.parse(expiresAt), messages: [faded] }],
      people: [],
    });
    expect(JSON.stringify([await storage.readAccount('c1'), await storage.readTimeline('c1')])).not.toContain('secret');
  });
}
