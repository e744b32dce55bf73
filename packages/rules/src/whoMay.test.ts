import { audiences, isInAudience } from './whoMay.ts';

test('everybody, contacts and nobody mean what they say', () => {
  const table = audiences.map((audience) => [audience, isInAudience(audience, true), isInAudience(audience, false)]);
  expect(table).toEqual([
    ['everyone', true, true],
    ['contacts', true, false],
    ['nobody', false, false],
  ]);
});
