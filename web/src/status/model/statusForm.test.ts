import { toStatusBody, emptyStatusForm, findStatusProblem } from './statusForm.ts';

const media = {
  mediaType: 'video' as const,
  files: { file: new Blob() },
  name: 'sea.mp4',
  info: '{}',
  duration: 60.04,
  canRevealLocation: false,
};

test('a text update needs text, of at most 500 characters as people count them', () => {
  expect(findStatusProblem({ ...emptyStatusForm, text: '  ' })).toBe('empty');
  expect(findStatusProblem({ ...emptyStatusForm, text: '👩‍👩‍👧‍👦'.repeat(500) })).toBeNull();
  expect(findStatusProblem({ ...emptyStatusForm, text: 'x'.repeat(501) })).toBe('tooLong');
});

test('a picture needs no text', () => {
  expect(findStatusProblem({ ...emptyStatusForm, kind: 'media' })).toBe('noMedia');
  expect(findStatusProblem({ ...emptyStatusForm, kind: 'media', media })).toBeNull();
  expect(findStatusProblem({ ...emptyStatusForm, kind: 'media', media, caption: 'x'.repeat(501) })).toBe('tooLong');
});

test('the request has the fields of its kind', () => {
  expect(toStatusBody({ ...emptyStatusForm, text: ' Hello ' })).toEqual({
    content: 'Hello',
    backgroundColor: '#1DB584',
    textColor: '#FFFFFF',
    font: 'Arial',
  });
  // A trimmed video is slightly longer than requested.
  expect(toStatusBody({ ...emptyStatusForm, kind: 'media', media, caption: ' Sea ', alt: ' Waves ' })).toEqual({
    mediaType: 'video',
    content: 'Sea',
    mediaInfo: '{}',
    duration: 60,
    extra: { alt: 'Waves' },
  });
});
