import { hiddenPresence, mayBeSeen, shownPresence } from './presence.ts';

const stranger = { isSelf: false, knowsViewer: false, blocksViewer: false };

describe('who may see presence', () => {
  test.each([
    ['everyone', stranger, true],
    ['everyone', { ...stranger, blocksViewer: true }, false],
    ['contacts', stranger, false],
    ['contacts', { ...stranger, knowsViewer: true }, true],
    ['contacts', { ...stranger, knowsViewer: true, blocksViewer: true }, false],
    ['nobody', { ...stranger, knowsViewer: true }, false],
    ['nobody', { ...stranger, isSelf: true }, true],
  ] as const)('%s, %j: %p', (visibility, standing, expected) => {
    expect(mayBeSeen(visibility, standing)).toBe(expected);
  });
});

test('presence is the chosen one only while connected, the status message always, and neither if hidden', () => {
  const facts = { presenceStatus: 'busy', statusMessage: 'Hi', presenceVisibility: 'everyone' } as const;
  expect(shownPresence(facts, true, stranger)).toEqual({ presenceStatus: 'busy', statusMessage: 'Hi' });
  expect(shownPresence(facts, false, stranger)).toEqual({ presenceStatus: 'offline', statusMessage: 'Hi' });
  expect(shownPresence({ ...facts, presenceVisibility: 'nobody' }, true, stranger)).toEqual(hiddenPresence);
});
