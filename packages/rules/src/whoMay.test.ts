import { audiences, isAmong } from './whoMay.ts';

test('everybody, contacts and nobody are who they say', () => {
  const table = audiences.map((audience) => [audience, isAmong(audience, true), isAmong(audience, false)]);
  expect(table).toEqual([
    ['everyone', true, true],
    ['contacts', true, false],
    ['nobody', false, false],
  ]);
});
