import { enCall } from '../calling/enCall.ts';
import { addWords, createI18n } from '../../i18n/i18n.ts';
import { callSummary, durationText, isCallBack, isMissed } from './callWords.ts';

const i18n = createI18n();
addWords(i18n, 'call', enCall);
const { t } = i18n;

test.each([
  [0, '0:00'],
  [65.9, '1:05'],
  [3_600, '1:00:00'],
  [-3, '0:00'],
])('a call of %d seconds reads %s', (seconds, text) => {
  expect(durationText(seconds)).toBe(text);
});

test.each([
  ['completed', true, 'Video call, 2:10'],
  ['missed', true, 'Video call, no answer'],
  ['missed', false, 'Missed video call'],
  ['cancelled', false, 'Missed video call'],
  ['busy', false, 'Missed video call'],
  ['declined', false, 'Declined video call'],
  ['failed', true, 'Video call failed'],
] as const)('%s, own %s: %s', (outcome, own, text) => {
  expect(callSummary({ callType: 'video', outcome, durationSeconds: 130 }, own, t)).toBe(text);
});

test('an outgoing or completed call is called again; any other is called back', () => {
  expect(isCallBack({ outcome: 'declined' }, false)).toBe(true);
  expect(isCallBack({ outcome: 'missed' }, false)).toBe(true);
  expect(isCallBack({ outcome: 'completed' }, false)).toBe(false);
  expect(isCallBack({ outcome: 'declined' }, true)).toBe(false);
});

test('a cancelled call was missed by the person who was called, and by nobody else', () => {
  expect(isMissed({ outcome: 'cancelled' }, false)).toBe(true);
  expect(isMissed({ outcome: 'cancelled' }, true)).toBe(false);
  expect(isMissed({ outcome: 'declined' }, false)).toBe(false);
});
