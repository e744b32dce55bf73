import { problemKeys } from './problemKeys.ts';

test('a device that is refused, one that is missing and one that is busy each have words of their own', () => {
  const error = { kind: 'error', title: 'calls.errorTitle' };
  for (const source of ['camera', 'microphone'] as const) {
    expect(problemKeys({ source, kind: 'denied' })).toEqual({ ...error, text: 'calls.errorText' });
    expect(problemKeys({ source, kind: 'busy' })).toEqual({ ...error, text: 'calls.deviceBusy' });
  }
  expect(problemKeys({ source: 'camera', kind: 'unblurred' })?.text).toBe('calls.unblurredText');
  expect(problemKeys({ source: 'camera', kind: 'missing' })).toEqual({ kind: 'info', title: 'calls.noCamera' });
  expect(problemKeys({ source: 'microphone', kind: 'missing' })).toEqual({ kind: 'info', title: 'calls.noMicrophone' });
});

test('a screen that cannot be shown says so, and one that nobody chose says nothing', () => {
  expect(problemKeys({ source: 'screen', kind: 'failed' })).toEqual({ kind: 'error', title: 'calls.screenFailed' });
  expect(problemKeys({ source: 'screen', kind: 'dismissed' })).toBeUndefined();
});
