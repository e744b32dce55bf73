import { openStatusContent as openStatus } from '@nolo/rules';
import { sealStatus } from './statusContent.ts';

const plain = { encryption: 'none', mediaType: 'text' } as const;
const codeOf = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    return (error as { code: string }).code;
  }
  return 'none';
};
const family = '👩‍👩‍👧‍👦';

test('content survives a round trip', () => {
  const given = { content: 'Hello', backgroundColor: '#111827', textColor: '#FFFFFF', font: 'Georgia' } as const;
  const content = sealStatus(given, plain);
  expect(openStatus({ content, encryption: 'none' })).toEqual({ ...given, duration: null, mediaInfo: null });
  const video = { content: '', duration: 12.5, mediaInfo: '{"width":720}', extra: { mood: 'fine', v2: [1] } };
  const sealed = sealStatus(video, { encryption: 'none', mediaType: 'video' });
  expect(openStatus({ content: sealed, encryption: 'none' })).toMatchObject(video);
});

test('missing fields get defaults, and colours are returned as submitted', () => {
  const shown = { backgroundColor: '#1DB584', textColor: '#FFFFFF', font: 'Arial' };
  expect(openStatus({ content: sealStatus({ content: 'Hello' }, plain), encryption: 'none' })).toMatchObject(shown);
  const colours = { backgroundColor: '#FACC15', textColor: '#FFFFFF' } as const;
  const submitted = sealStatus({ content: '{', ...colours }, plain);
  expect(openStatus({ content: submitted, encryption: 'none' })).toMatchObject({ ...colours, content: '{' });
  const foreign = JSON.stringify({ v: 1, text: 'x', backgroundColor: 'url(x)', font: 7, duration: 'long' });
  expect(openStatus({ content: foreign, encryption: 'none' })).toMatchObject({ ...shown, duration: null });
});

test('characters are counted as people count them, and a text must not be blank', () => {
  expect(codeOf(() => sealStatus({ content: family.repeat(500) }, plain))).toBe('none');
  expect(codeOf(() => sealStatus({ content: `${family.repeat(500)}!` }, plain))).toBe('status_too_large');
  expect(codeOf(() => sealStatus({ content: 'x'.repeat(40_000) }, plain))).toBe('status_too_large');
  expect(codeOf(() => sealStatus({ content: ' \u200b' }, plain))).toBe('status_blank');
  expect(codeOf(() => sealStatus({ content: '' }, { encryption: 'none', mediaType: 'image' }))).toBe('none');
  expect(codeOf(() => sealStatus({ content: 'a\0' }, plain))).toBe('status_invalid');
});

test('encrypted content stays unchanged, with no cleartext fields', () => {
  const way = { encryption: 'mls', mediaType: 'text' } as const;
  expect(sealStatus({ content: 'c2VhbGVk' }, way)).toBe('c2VhbGVk');
  expect(codeOf(() => sealStatus({ content: 'c2VhbGVk', font: 'Arial' }, way))).toBe('status_invalid');
  expect(openStatus({ content: '{"v":1,"text":"x"}', encryption: 'mls' })).toMatchObject({
    content: '{"v":1,"text":"x"}',
    mediaInfo: null,
  });
});

test('a sealed envelope is stored as it is, by the same rules', () => {
  const image = { encryption: 'none', mediaType: 'image' } as const;
  const seal = (envelope: string, way: Parameters<typeof sealStatus>[1], more = {}) =>
    sealStatus({ content: '', envelope, ...more }, way);
  const envelope = '{ "v": 1, "text": "Hello" }';
  expect(seal(envelope, plain)).toBe(envelope);
  expect(seal('', image)).toBe('');
  expect(seal('c2VhbGVk', { ...plain, encryption: 'mls' })).toBe('c2VhbGVk');
  expect(codeOf(() => seal(`${family.repeat(500)}!`, plain))).toBe('status_too_large');
  expect(codeOf(() => seal('{"v":1}', plain))).toBe('status_blank');
  expect(codeOf(() => seal('{"v":1,"text":"a\\u0000"}', plain))).toBe('status_invalid');
  expect(codeOf(() => seal('{"v":1,"duration":1}', image))).toBe('status_invalid');
  expect(codeOf(() => seal('Hello', plain, { content: 'Hello' }))).toBe('status_invalid');
  expect(codeOf(() => seal('Hello', plain, { font: 'Arial' }))).toBe('status_invalid');
});
