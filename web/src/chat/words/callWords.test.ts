import { createI18n } from '../../i18n/i18n.ts';
import { getTranslate } from '../../i18n/texts.ts';
import { callTexts } from './callTexts.ts';
import { describeCallOutcome, formatCallDuration, shouldOfferCallback, isMissedCall } from './callWords.ts';

const t = getTranslate(createI18n(), callTexts);

test.each([
  [0, '0:00'],
  [65.9, '1:05'],
  [3_600, '1:00:00'],
  [-3, '0:00'],
])('a call of %d seconds reads %s', (seconds, text) => {
  expect(formatCallDuration(seconds)).toBe(text);
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
  expect(describeCallOutcome({ callType: 'video', outcome, durationSeconds: 130 }, own, t)).toBe(text);
});

test('an outgoing or completed call is called again; any other is called back', () => {
  expect(shouldOfferCallback({ outcome: 'declined' }, false)).toBe(true);
  expect(shouldOfferCallback({ outcome: 'missed' }, false)).toBe(true);
  expect(shouldOfferCallback({ outcome: 'completed' }, false)).toBe(false);
  expect(shouldOfferCallback({ outcome: 'declined' }, true)).toBe(false);
});

test('a cancelled call was missed by the person who was called, and by nobody else', () => {
  expect(isMissedCall({ outcome: 'cancelled' }, false)).toBe(true);
  expect(isMissedCall({ outcome: 'cancelled' }, true)).toBe(false);
  expect(isMissedCall({ outcome: 'declined' }, false)).toBe(false);
});
