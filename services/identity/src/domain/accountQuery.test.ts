import { readAccountQuery } from './accountQuery.ts';

const id = '0190a5f4-7d3e-7000-8000-000000000001';

test.each([
  [` ${id} `, { by: 'id', id }],
  ['+27 82 000 0001', { by: 'number', phoneNumber: '+27820000001' }],
  ['Ada@Example.org', { by: 'mail', email: 'Ada@Example.org' }],
  ['@Ada_A', { by: 'username', username: 'ada_a' }],
  ['adams', { by: 'username', username: 'adams' }],
])('reads the query %s', (typed, query) => {
  expect(readAccountQuery(typed)).toEqual(query);
});

test.each(['', '  ', 'two words', 'x'.repeat(255), 'a\0b'])('%j names no account', (typed) => {
  expect(readAccountQuery(typed)).toBeUndefined();
});
