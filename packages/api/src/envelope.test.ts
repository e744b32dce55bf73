import { extraFields } from './envelope.ts';

test.each(['v', 'text', 'fileName', 'linkPreview'])('%s cannot be used as the name of an extra field', (name) => {
  expect(extraFields.safeParse({ [name]: 'x' }).success).toBe(false);
  expect(extraFields.safeParse({ [`${name}2`]: 'x', toString: 1 }).success).toBe(true);
});
