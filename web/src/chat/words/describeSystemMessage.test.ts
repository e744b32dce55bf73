import type { ConversationSystemMessage } from '@nolo/rules';
import { createI18n } from '../../i18n/i18n.ts';
import { getTranslate } from '../../i18n/texts.ts';
import { describeSystemMessage, formatLongDuration, notesTexts } from './describeSystemMessage.ts';

const t = getTranslate(createI18n(), notesTexts);
const names = { selfId: 'me', nameOf: (id: string) => id.toUpperCase(), locale: 'en-GB' };
const formatSystemMessage = (systemMessage: ConversationSystemMessage, actor = 'ada') =>
  describeSystemMessage(systemMessage, actor, names, t);

test('system messages state who did what, to the reader and to others', () => {
  expect(formatSystemMessage({ kind: 'member_left' })).toBe('ADA left');
  expect(formatSystemMessage({ kind: 'member_left' }, 'me')).toBe('You left');
  expect(formatSystemMessage({ kind: 'member_removed', userId: 'ben', banned: false })).toBe('ADA removed BEN');
  expect(formatSystemMessage({ kind: 'member_removed', userId: 'me', banned: true })).toBe('ADA banned you');
  expect(formatSystemMessage({ kind: 'role_changed', userId: 'ben', role: 'admin' }, 'me')).toBe(
    'You made BEN an admin',
  );
  expect(formatSystemMessage({ kind: 'owner_changed', userId: 'me' })).toBe('ADA handed the group over to you');
});

test('system messages name who admitted someone', () => {
  expect(formatSystemMessage({ kind: 'member_joined' })).toBe('ADA joined');
  expect(formatSystemMessage({ kind: 'member_joined', admittedBy: 'ben' })).toBe('BEN let ADA in');
  expect(formatSystemMessage({ kind: 'member_joined', admittedBy: 'me' })).toBe('You let ADA in');
  expect(formatSystemMessage({ kind: 'member_joined', admittedBy: 'ben' }, 'me')).toBe('BEN let you in');
});

test('several people are listed, the reader first, and many are counted', () => {
  expect(formatSystemMessage({ kind: 'member_added', userIds: ['ben'] })).toBe('ADA added BEN');
  expect(formatSystemMessage({ kind: 'member_added', userIds: ['ben', 'me'] })).toBe('ADA added you and BEN');
  expect(formatSystemMessage({ kind: 'member_added', userIds: ['b', 'c', 'd', 'e'] })).toBe(
    'ADA added B, C and 2 others',
  );
});

test('system messages describe settings and the timer', () => {
  expect(formatSystemMessage({ kind: 'settings_changed', settings: { isPublic: false } })).toBe(
    'ADA made the group private',
  );
  expect(formatSystemMessage({ kind: 'settings_changed', settings: { allowRecording: true } })).toBe(
    'ADA changed the group’s settings',
  );
  expect(formatSystemMessage({ kind: 'timer_changed', seconds: 86_400 })).toBe(
    'ADA set new messages to disappear after 1 day',
  );
  expect(formatSystemMessage({ kind: 'timer_changed', seconds: null }, 'me')).toBe(
    'You turned off disappearing messages',
  );
  expect(formatLongDuration(300, 'en-GB')).toBe('5 minutes');
  expect(formatLongDuration(90, 'en-GB')).toBe('90 seconds');
});

test('a call is shown as started, and afterwards with its duration in minutes', () => {
  const call = (durationSeconds: number | null) => ({ kind: 'group_call', durationSeconds, at: '' }) as const;
  expect(formatSystemMessage(call(null))).toBe('ADA started a call');
  expect(formatSystemMessage(call(null), 'me')).toBe('You started a call');
  expect(formatSystemMessage(call(0))).toBe('ADA started a call that lasted 1 minute');
  expect(formatSystemMessage(call(754), 'me')).toBe('You started a call that lasted 13 minutes');
});
