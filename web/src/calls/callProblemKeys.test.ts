import { callProblemKeys } from './callProblemKeys.ts';

test('a device that is refused, one that is missing and one that is busy each have words of their own', () => {
  const error = { kind: 'error', title: 'calls.errorTitle' };
  for (const source of ['camera', 'microphone'] as const) {
    expect(callProblemKeys({ source, kind: 'denied' })).toEqual({ ...error, text: 'calls.errorText' });
    expect(callProblemKeys({ source, kind: 'busy' })).toEqual({ ...error, text: 'calls.deviceBusy' });
  }
  expect(callProblemKeys({ source: 'camera', kind: 'unblurred' })?.text).toBe('calls.unblurredText');
  expect(callProblemKeys({ source: 'camera', kind: 'missing' })).toEqual({ kind: 'info', title: 'calls.noCamera' });
  expect(callProblemKeys({ source: 'microphone', kind: 'missing' })).toEqual({
    kind: 'info',
    title: 'calls.noMicrophone',
  });
});

test('a screen that cannot be shown says so, and one that nobody chose says nothing', () => {
  expect(callProblemKeys({ source: 'screen', kind: 'failed' })).toEqual({ kind: 'error', title: 'calls.screenFailed' });
  expect(callProblemKeys({ source: 'screen', kind: 'dismissed' })).toBeUndefined();
});
