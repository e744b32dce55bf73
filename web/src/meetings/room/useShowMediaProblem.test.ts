import { mediaProblemKeys } from './useShowMediaProblem.ts';

test('a device in use by another program is named, with what helps', () => {
  expect(mediaProblemKeys('camera', 'busy')).toEqual({
    title: 'meeting:problem.busyCamera',
    text: 'meeting:problem.busyInside',
  });
  expect(mediaProblemKeys('microphone', 'busy').title).toBe('meeting:problem.busyMicrophone');
});

test('a camera that cannot be blurred is reported as off for that reason', () => {
  expect(mediaProblemKeys('camera', 'unblurred').title).toBe('meeting:problem.unblurredCamera');
});

test('everything else is reported in the words of the specification', () => {
  for (const kind of ['denied', 'missing', 'failed', undefined] as const) {
    expect(mediaProblemKeys('camera', kind).title).toBe('meeting:errors.media.title');
  }
  expect(mediaProblemKeys('screenRefused').text).toBe('meeting:errors.screenRefused.text');
  // Media that could not be sent was opened successfully.
  expect(mediaProblemKeys('video', 'busy').title).toBe('meeting:errors.video.title');
});
