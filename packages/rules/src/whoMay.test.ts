import { audiences, firstMessage, isAmong } from './whoMay.ts';

test('everybody, contacts and nobody are who they say', () => {
  const table = audiences.map((audience) => [audience, isAmong(audience, true), isAmong(audience, false)]);
  expect(table).toEqual([
    ['everyone', true, true],
    ['contacts', true, false],
    ['nobody', false, false],
  ]);
});

test('of strangers first messages are requests where everybody may write, and otherwise nothing', () => {
  const table = audiences.map((audience) => [audience, firstMessage(audience, true), firstMessage(audience, false)]);
  expect(table).toEqual([
    ['everyone', 'open', 'request'],
    ['contacts', 'open', 'refused'],
    ['nobody', 'refused', 'refused'],
  ]);
});
