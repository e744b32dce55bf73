import { selfRelation, hiddenPresence, isVisibleTo, computeShownPresence } from './presence.ts';

const stranger = { ...selfRelation, isSelf: false, knowsViewer: false };

describe('visibility of presence', () => {
  test.each([
    ['everyone', stranger, true],
    ['everyone', { ...stranger, blocksViewer: true }, false],
    ['contacts', stranger, false],
    ['contacts', { ...stranger, knowsViewer: true }, true],
    ['contacts', { ...stranger, knowsViewer: true, blocksViewer: true }, false],
    ['nobody', { ...stranger, knowsViewer: true }, false],
    ['nobody', { ...stranger, isSelf: true }, true],
  ] as const)('%s, %j: %p', (visibility, standing, expected) => {
    expect(isVisibleTo(visibility, standing)).toBe(expected);
  });
});

test('presence is shown only while connected, the status message always, and neither if hidden', () => {
  const facts = {
    presenceStatus: 'busy',
    statusMessage: 'Hi',
    presenceVisibility: 'everyone',
    lastSeenVisibility: 'nobody',
    lastSeenAt: null,
  } as const;
  expect(computeShownPresence(facts, true, stranger)).toEqual({ presenceStatus: 'busy', statusMessage: 'Hi' });
  expect(computeShownPresence(facts, false, stranger)).toEqual({ presenceStatus: 'offline', statusMessage: 'Hi' });
  expect(computeShownPresence({ ...facts, presenceVisibility: 'nobody' }, true, stranger)).toEqual(hiddenPresence);
});

describe('last seen', () => {
  const lastSeenAt = new Date('2026-11-20T12:00:00Z');
  const facts = {
    presenceStatus: 'online',
    statusMessage: '',
    presenceVisibility: 'everyone',
    lastSeenVisibility: 'contacts',
    lastSeenAt,
  } as const;
  const friend = { ...stranger, knowsViewer: true };

  test('is shown to those who may see it, and only while the person appears offline', () => {
    expect(computeShownPresence(facts, false, friend)).toEqual({
      presenceStatus: 'offline',
      statusMessage: '',
      lastSeenAt,
    });
    expect(computeShownPresence(facts, true, friend)).toEqual({ presenceStatus: 'online', statusMessage: '' });
    expect(computeShownPresence(facts, false, stranger)).toEqual(hiddenPresence);
    expect(computeShownPresence(facts, false, { ...friend, blocksViewer: true })).toEqual(hiddenPresence);
    expect(computeShownPresence({ ...facts, lastSeenVisibility: 'nobody' }, false, friend)).toEqual(hiddenPresence);
  });

  test('is chosen independently of who sees presence', () => {
    const onlyLast = { ...facts, presenceVisibility: 'nobody' } as const;
    expect(computeShownPresence(onlyLast, true, friend)).toEqual({ ...hiddenPresence, lastSeenAt });
    const onlyNow = { ...facts, lastSeenVisibility: 'nobody' } as const;
    expect(computeShownPresence(onlyNow, true, friend)).toEqual({ presenceStatus: 'online', statusMessage: '' });
  });

  test('is not shown to people who hide their own', () => {
    expect(computeShownPresence(facts, false, { ...friend, viewerShowsLastSeen: false })).toEqual(hiddenPresence);
  });
});
