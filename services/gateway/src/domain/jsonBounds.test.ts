import { checkJsonBounds } from './jsonBounds.ts';

const bounds = { depth: 4, entries: 10 };
const count = (text: string) => checkJsonBounds(Buffer.from(text), bounds);

it.each([
  ['1', 0],
  ['{}', 1],
  ['{"a":1}', 1],
  ['{"a":1,"b":[1,2,3]}', 5],
  ['[[[[]]]]', 4],
  // Characters inside a string are not structure.
  ['{"a":"[[[[[[[{,,,,,,,,,,,,"}', 1],
  ['{"a":"\\"[[[[[[","b\\\\":1}', 2],
  ['["é\\u005b"]', 1],
])('counts the entries of %s', (text, entries) => {
  expect(count(text)).toBe(entries);
});

it.each([
  '[[[[[]]]]]',
  '{"a":{"a":{"a":{"a":{}}}}}',
  '[1,2,3,4,5,6,7,8,9,10,11]',
  '[[],[],[],[],[],[]]',
  '['.repeat(50),
])('refuses the text %s', (text) => {
  expect(() => count(text)).toThrow(expect.objectContaining({ code: 'json_too_complex' }));
});
