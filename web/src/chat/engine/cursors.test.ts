import { limits } from '@nolo/rules';
import type { ChatCore } from './chatCore.ts';
import { createCursors } from './cursors.ts';
import type { CursorMove } from './ports.ts';

/** Creates rows with `memberCount` members and last message `lastSeq`. The test controls the time. */
function underTest({ memberCount = 2, lastSeq = 9, deliveredSeq = 0 } = {}) {
  let now = 0;
  let timers: { at: number; run: () => void }[] = [];
  const said: { over: 'socket' | 'http'; cursors: CursorMove[] }[] = [];
  const line = {
    isOpen: true,
    refuse: false,
    request: (_type: string, { cursors }: { cursors: CursorMove[] }) => {
      if (line.refuse) return Promise.reject(new Error('away'));
      said.push({ over: 'socket', cursors });
      return Promise.resolve({});
    },
  };
  const core = {
    selfId: 'me',
    api: {
      moveCursors: (cursors: CursorMove[]) => {
        said.push({ over: 'http', cursors });
        return Promise.resolve();
      },
    },
    row: (id: string) =>
      id === 'none' ? undefined : { lastSeq, memberCount, members: [{ userId: 'me', deliveredSeq }] },
    timers: {
      now: () => now,
      after: (ms: number, run: () => void) => {
        const timer = { at: now + ms, run };
        timers.push(timer);
        return () => {
          timers = timers.filter((one) => one !== timer);
        };
      },
    },
  };
  const cursors = createCursors(core as unknown as ChatCore, line as unknown as Parameters<typeof createCursors>[1]);
  const pass = async (ms: number) => {
    now += ms;
    const due = timers.filter(({ at }) => at <= now);
    timers = timers.filter(({ at }) => at > now);
    for (const { run } of due) run();
    await new Promise(setImmediate);
  };
  return { cursors, line, pass, said };
}

const move = (conversationId: string, deliveredSeq: number, readSeq: number) => ({
  conversationId,
  deliveredSeq,
  readSeq,
});

test('what is said at once goes in one call, and what is read next a little later', async () => {
  const { cursors, pass, said } = underTest();
  for (const id of ['a', 'b', 'none']) cursors.arrived(id);
  cursors.read('a', 5);
  await pass(100);
  expect(said).toEqual([{ over: 'socket', cursors: [move('a', 9, 5), move('b', 9, 0)] }]);
  cursors.read('a', 6);
  cursors.read('a', 8);
  await pass(500);
  expect(said).toHaveLength(1);
  await pass(100);
  expect(said[1]?.cursors).toEqual([move('a', 9, 8)]);
});

test('what only arrived waits for longer than what was read, and goes along with it', async () => {
  const { cursors, pass, said } = underTest();
  cursors.read('b', 1);
  await pass(100);
  cursors.arrived('a');
  await pass(1_000);
  expect(said).toHaveLength(1);
  cursors.read('b', 2);
  await pass(100);
  expect(said[1]?.cursors).toEqual([move('a', 9, 0), move('b', 0, 2)]);
  cursors.read('b', 3);
  cursors.arrived('c');
  await pass(600);
  expect(said).toHaveLength(3);
});

test('what was said, and what the server knows, is not said again', async () => {
  const { cursors, pass, said } = underTest({ deliveredSeq: 9 });
  cursors.arrived('a');
  await pass(10_000);
  expect(said).toEqual([]);
  cursors.read('a', 3);
  await pass(10_000);
  cursors.read('a', 3);
  cursors.read('a', 2);
  await pass(10_000);
  expect(said).toHaveLength(1);
});

test('in a large group nothing is said of what only arrived', async () => {
  const { cursors, pass, said } = underTest({ memberCount: limits.receiptsToAllMembers + 1 });
  cursors.arrived('a');
  await pass(10_000);
  expect(said).toEqual([]);
});

test('more conversations than one call takes go in turns', async () => {
  const { cursors, pass, said } = underTest();
  for (let index = 0; index < limits.cursorsAtOnce + 1; index += 1) cursors.arrived(`c${index}`);
  await pass(100);
  await pass(2_000);
  expect(said.map((call) => call.cursors.length)).toEqual([limits.cursorsAtOnce, 1]);
});

test('without a socket it goes over HTTP, and what was lost is said when the connection is back', async () => {
  const { cursors, line, pass, said } = underTest();
  line.isOpen = false;
  cursors.read('a', 1);
  await pass(100);
  expect(said).toEqual([{ over: 'http', cursors: [move('a', 0, 1)] }]);
  line.isOpen = true;
  line.refuse = true;
  cursors.read('a', 2);
  await pass(2_000);
  line.refuse = false;
  await pass(60_000);
  expect(said).toHaveLength(1);
  cursors.again();
  await pass(100);
  expect(said[1]).toEqual({ over: 'socket', cursors: [move('a', 0, 2)] });
});
