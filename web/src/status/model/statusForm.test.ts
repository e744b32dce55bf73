import { bodyOf, emptyForm, problemOf } from './statusForm.ts';

const media = {
  mediaType: 'video' as const,
  files: { file: new Blob() },
  name: 'sea.mp4',
  info: '{}',
  duration: 60.04,
  mayTellPlace: false,
};

test('a text needs words, of at most 500 characters as people count them', () => {
  expect(problemOf({ ...emptyForm, text: '  ' })).toBe('empty');
  expect(problemOf({ ...emptyForm, text: '👩‍👩‍👧‍👦'.repeat(500) })).toBeNull();
  expect(problemOf({ ...emptyForm, text: 'x'.repeat(501) })).toBe('tooLong');
});

test('a picture needs none', () => {
  expect(problemOf({ ...emptyForm, kind: 'media' })).toBe('noMedia');
  expect(problemOf({ ...emptyForm, kind: 'media', media })).toBeNull();
  expect(problemOf({ ...emptyForm, kind: 'media', media, caption: 'x'.repeat(501) })).toBe('tooLong');
});

test('what is posted says what it is', () => {
  expect(bodyOf({ ...emptyForm, text: ' Hello ' })).toEqual({
    content: 'Hello',
    backgroundColor: '#1DB584',
    textColor: '#FFFFFF',
    font: 'Arial',
  });
  // A trimmed video is slightly longer than requested.
  expect(bodyOf({ ...emptyForm, kind: 'media', media, caption: ' Sea ', alt: ' Waves ' })).toEqual({
    mediaType: 'video',
    content: 'Sea',
    mediaInfo: '{}',
    duration: 60,
    extra: { alt: 'Waves' },
  });
});
