import { audiences, isInAudience } from './audiences.ts';

test('each audience admits exactly the people it names', () => {
  const table = audiences.map((audience) => [audience, isInAudience(audience, true), isInAudience(audience, false)]);
  expect(table).toEqual([
    ['everyone', true, true],
    ['contacts', true, false],
    ['nobody', false, false],
  ]);
});
