import { createAppError } from '@nolo/kit/errors';
import { runAdminCommand, type AdminTools } from './adminCommands.ts';

const caller = { actorId: 'command line', sessionId: 'a pass' };
const at = new Date('2026-11-26T12:00:00.000Z');

/** Returns tools with two services, one of them unavailable, and the recorded requests to the other, in order. */
function toolsOf(): { tools: AdminTools; lines: string[]; calls: unknown[] } {
  const lines: string[] = [];
  const calls: unknown[] = [];
  const away = () => Promise.reject(createAppError('unavailable', 'unavailable', 'The service is unavailable.'));
  const queue = { kind: 'job', queue: 'publishing', waiting: 2, late: 1, active: 0, setAside: 1 };
  const tools: AdminTools = {
    caller,
    print: (line) => void lines.push(line),
    operators: { recordAct: async (act) => (calls.push(['recorded', act]), {}) },
    serviceAdmins: {
      chat: { describeService: away, countWork: away, listSetAside: away, retrySetAside: away, discardSetAside: away },
      social: {
        describeService: async () => ({
          version: '1.2.3',
          commit: undefined,
          since: at,
          settings: [{ variable: 'SOCIAL_PUBLISHES', value: 'true' }],
        }),
        countWork: async () => ({ queues: [queue] }),
        listSetAside: async ({ cursor }) =>
          cursor === undefined
            ? { items: [{ id: 'one', attempts: 5, failure: 'timeout', at }], nextCursor: 'more' }
            : { items: [{ id: 'two', attempts: 1, failure: undefined, at }], nextCursor: undefined },
        retrySetAside: async (work) => (calls.push(['retried', work]), {}),
        discardSetAside: async (work) => (calls.push(['discarded', work]), {}),
      },
    },
    roomAdmin: {
      listLiveRooms: async () => ({ rooms: [], nextCursor: undefined }),
      endLiveRoom: async (room) => (calls.push(['ended', room]), {}),
    },
    groups: { listOwners: async () => ({ owners: [] }) },
  };
  return { tools, lines, calls };
}

test('services, their work and failed jobs are listed page by page', async () => {
  const { tools, lines } = toolsOf();
  for (const argv of [['state'], ['jobs'], ['jobs', 'show', 'social', 'job', 'publishing'], ['rooms', 'list']]) {
    await runAdminCommand(tools, argv);
  }
  expect(lines).toEqual([
    'chat  does not answer',
    'social  version 1.2.3  since 2026-11-26T12:00:00.000Z',
    '  SOCIAL_PUBLISHES=true',
    'chat  does not answer',
    'social job publishing  2 waiting, 1 late, 0 active, 1 quarantined',
    'one  5 attempts  timeout  2026-11-26T12:00:00.000Z',
    'two  1 attempts  see the log  2026-11-26T12:00:00.000Z',
    'No rooms are in use.',
  ]);
});

test('every action is audited before it is carried out', async () => {
  const { tools, calls } = toolsOf();
  await runAdminCommand(tools, ['jobs', 'retry', 'social', 'job', 'publishing', 'one']);
  await runAdminCommand(tools, ['jobs', 'discard', 'social', 'job', 'publishing', 'two', '--reason', 'Nobody waits.']);
  await runAdminCommand(tools, ['rooms', 'end', 'a room', '--reason', 'A test.']);
  const work = { kind: 'job', queue: 'publishing' };
  expect(calls).toEqual([
    ['recorded', { ...caller, action: 'work_retried', details: { part: 'social', ...work, work: 'one' } }],
    ['retried', { ...caller, ...work, id: 'one' }],
    [
      'recorded',
      {
        ...caller,
        action: 'work_discarded',
        reason: 'Nobody waits.',
        details: { part: 'social', ...work, work: 'two' },
      },
    ],
    ['discarded', { ...caller, ...work, id: 'two' }],
    ['recorded', { ...caller, action: 'room_ended', reason: 'A test.', details: { room: 'a room' } }],
    ['ended', { ...caller, roomId: 'a room' }],
  ]);
});

test.each([
  [['jobs', 'retry', 'nowhere', 'job', 'publishing', 'one'], 'Services are chat, social.'],
  [['jobs', 'discard', 'social', 'job', 'publishing', 'one'], '--reason'],
  [['rooms', 'end', 'a room'], '--reason'],
  [['rooms', 'enter', 'a room'], 'rooms end <room> --reason <text>'],
  [['state', '--everything'], 'rooms end <room> --reason <text>'],
  [[], 'rooms end <room> --reason <text>'],
])('%j is rejected with the available choices', async (argv, words) => {
  const { tools, calls } = toolsOf();
  await expect(runAdminCommand(tools, argv)).rejects.toThrow(words);
  expect(calls).toEqual([]);
});
