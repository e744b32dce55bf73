import { openEnvelope, sealEnvelope } from './envelope.ts';

test('opens what was sealed, including fields unknown to this version', () => {
  const fields = {
    text: 'A "quote"\n\u2028 and ✓',
    fileName: 'a.png',
    voiceMessageDuration: 0,
    poll: { options: ['a', 'b'] },
  };
  expect(openEnvelope(sealEnvelope(fields))).toEqual({ v: 1, ...fields });
});

test('leaves plain text as it is unless it looks like an envelope', () => {
  expect([sealEnvelope({}), sealEnvelope({ text: '' }), sealEnvelope({ text: 'hello' })]).toEqual(['', '', 'hello']);
  for (const text of ['{"v":1,"text":"x"}', '{', '{"v":1}']) {
    expect(openEnvelope(sealEnvelope({ text }))).toEqual({ v: 1, text });
  }
});

test.each([
  ['words', 'hello'],
  ['nothing', ''],
  ['text in braces', '{ v: 1 }'],
  ['unrelated JSON', '{"kind":"timer_changed","seconds":30}'],
  ['a list', '[{"v":1}]'],
  ['an unknown version', '{"v":2,"text":"x"}'],
  ['a field of the wrong type', '{"v":1,"text":5}'],
  ['a truncated envelope', '{"v":1,"text":"hel'],
])('%s is not an envelope', (_, content) => {
  expect(openEnvelope(content)).toBeUndefined();
});
