/** @jest-environment jsdom */
import type { Message } from '@nolo/api';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { callRequestStore } from './callRequests.ts';
import { featureStore } from '../../session/features.ts';
import { testChat } from '../../testing/ChatTestProviders.tsx';
import { toMessagePreview } from '../words/messagePreview.ts';
import { createI18n } from '../../i18n/i18n.ts';
import { getTranslate } from '../../i18n/texts.ts';
import { callTexts } from '../words/callTexts.ts';
import { groupTexts } from '../words/groupTexts.ts';
import { CallMessageRow } from './CallMessageRow.tsx';

afterEach(() => {
  cleanup();
  callRequestStore.setState({ wanted: null, toAnswer: null, busy: false });
  featureStore.setState({ features: {} });
});

function callMessage(change: object, senderId = 'you'): Message {
  const { server } = testChat();
  const stored = server.store(senderId, '', null);
  const callContent = {
    kind: 'call',
    callId: 'call-me-1',
    callType: 'audio',
    outcome: 'missed',
    durationSeconds: 0,
    ...change,
  };
  return { ...stored, messageType: 'system', content: JSON.stringify(callContent) };
}

const show = (message: Message, own = false) =>
  render(<CallMessageRow message={message} own={own} />, { wrapper: testChat().wrapper });

test('a missed call is returned with one press', async () => {
  featureStore.setState({ features: { calls: true } });
  show(callMessage({ callType: 'video' }));
  expect(screen.getByText('Missed video call')).toBeTruthy();
  await userEvent.setup().click(screen.getByRole('button', { name: 'Call back' }));
  expect(callRequestStore.getState().wanted).toEqual({ target: { conversationId: 'c1' }, type: 'video' });
});

test('the button is missing without the calls feature, and disabled during a call', () => {
  show(callMessage({}));
  expect(screen.queryByRole('button')).toBeNull();
  cleanup();
  featureStore.setState({ features: { calls: true } });
  callRequestStore.setState({ busy: true });
  show(callMessage({ outcome: 'completed', durationSeconds: 65 }), true);
  expect(screen.getByText('Voice call, 1:05')).toBeTruthy();
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Call again' }).disabled).toBe(true);
});

test('an unknown kind from a newer server is still shown as a line', () => {
  show({ ...callMessage({}), content: '{"kind":"poll"}' });
  expect(screen.getByText('Conversation updated')).toBeTruthy();
});

test('the preview in the list reads correctly from each side, and never with “You:”', () => {
  const t = getTranslate(createI18n(), callTexts, groupTexts);
  const names = { selfId: 'me', locale: 'en', nameOf: String, shortNameOf: String, describeSystemMessage: null };
  expect(toMessagePreview(callMessage({}), t, names, false).text).toBe('Missed voice call');
  expect(toMessagePreview(callMessage({}, 'me'), t, names, false).text).toBe('Voice call, no answer');
});

test('a call is identified by its start and whole seconds, as in the list of calls', () => {
  const calledAt = '2026-11-22T20:04:50.000Z';
  show(callMessage({ outcome: 'completed', durationSeconds: 87, calledAt }), true);
  expect(screen.getByText('Voice call, 1:27')).toBeTruthy();
  expect(document.querySelector('time')?.dateTime).toBe(calledAt);
});
