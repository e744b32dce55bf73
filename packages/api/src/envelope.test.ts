import { extraFields, openEnvelope, sealEnvelope } from './envelope.ts';

test('what is sealed is opened again, with fields that this version has no name for', () => {
  const fields = {
    text: 'A "quote"\n\u2028 and ✓',
    fileName: 'a.png',
    voiceMessageDuration: 0,
    poll: { options: ['a', 'b'] },
  };
  expect(openEnvelope(sealEnvelope(fields))).toEqual({ v: 1, ...fields });
});

test('words alone are what they are, unless they look like an envelope', () => {
  expect([sealEnvelope({}), sealEnvelope({ text: '' }), sealEnvelope({ text: 'hello' })]).toEqual(['', '', 'hello']);
  for (const text of ['{"v":1,"text":"x"}', '{', '{"v":1}']) {
    expect(openEnvelope(sealEnvelope({ text }))).toEqual({ v: 1, text });
  }
});

test.each([
  ['words', 'hello'],
  ['nothing', ''],
  ['words in braces', '{ v: 1 }'],
  ['JSON of another kind', '{"kind":"timer_changed","seconds":30}'],
  ['a list', '[{"v":1}]'],
  ['one of another version', '{"v":2,"text":"x"}'],
  ['one with a field of another type', '{"v":1,"text":5}'],
  ['half an envelope', '{"v":1,"text":"hel'],
])('%s is no envelope', (_, content) => {
  expect(openEnvelope(content)).toBeUndefined();
});

test.each(['v', 'text', 'fileName', 'linkPreview'])('%s is no name for what goes in besides', (name) => {
  expect(extraFields.safeParse({ [name]: 'x' }).success).toBe(false);
  expect(extraFields.safeParse({ [`${name}2`]: 'x', toString: 1 }).success).toBe(true);
});
