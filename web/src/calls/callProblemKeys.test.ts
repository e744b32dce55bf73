import { callProblemKeys } from './callProblemKeys.ts';

test('a denied, a missing and a busy device each have their own message', () => {
  const error = { kind: 'error', title: 'calls:errorTitle' };
  for (const source of ['camera', 'microphone'] as const) {
    expect(callProblemKeys({ source, kind: 'denied' })).toEqual({ ...error, text: 'calls:errorText' });
    expect(callProblemKeys({ source, kind: 'busy' })).toEqual({ ...error, text: 'calls:deviceBusy' });
  }
  expect(callProblemKeys({ source: 'camera', kind: 'unblurred' })?.text).toBe('calls:unblurredText');
  expect(callProblemKeys({ source: 'camera', kind: 'missing' })).toEqual({ kind: 'info', title: 'calls:noCamera' });
  expect(callProblemKeys({ source: 'microphone', kind: 'missing' })).toEqual({
    kind: 'info',
    title: 'calls:noMicrophone',
  });
});

test('a screen that cannot be shared is reported, and a dismissed choice is not', () => {
  expect(callProblemKeys({ source: 'screen', kind: 'failed' })).toEqual({ kind: 'error', title: 'calls:screenFailed' });
  expect(callProblemKeys({ source: 'screen', kind: 'dismissed' })).toBeUndefined();
});
