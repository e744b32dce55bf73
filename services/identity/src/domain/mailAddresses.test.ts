import { normalizeMailAddress, maskMailAddress, parseMailAddress } from './mailAddresses.ts';

test.each([
  ['ada@example.org', 'ada@example.org'],
  ['  Ada.Lovelace+nolo@Example.org ', 'Ada.Lovelace+nolo@Example.org'],
  ['ada', undefined],
  ['ada@example', undefined],
  ['ada@example.', undefined],
  ['ada@b@example.org', undefined],
  ['Ada <ada@example.org>', undefined],
  ['ada@example.org, bob@example.org', undefined],
  ['ada@example.org\r\nBcc: all@example.org', undefined],
  [`${'a'.repeat(250)}@b.io`, undefined],
  ['', undefined],
])('%j is read as %j', (typed, address) => expect(parseMailAddress(typed)).toBe(address));

test('spellings of an email address are equivalent, and it is masked to its start and end', () => {
  expect(normalizeMailAddress('Ada@Example.ORG')).toBe(normalizeMailAddress('ada@example.org'));
  expect(maskMailAddress('ada@example.org')).toBe('a…@example.org');
});
