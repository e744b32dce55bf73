import { createI18n } from '../../i18n/i18n.ts';
import { getTranslate } from '../../i18n/texts.ts';
import { featureStore } from '../../session/features.ts';
import { conversationTexts } from './conversationTexts.ts';
import { describeFailureReason, describeSendFailure } from './describeSendFailure.ts';

const t = getTranslate(createI18n(), conversationTexts);

test('a larger plan is offered only if there are plans', () => {
  const words = () => describeFailureReason({ code: 'storage_full_plan', message: '' }, t);
  featureStore.getState().setFeatures({ billing: false });
  expect(words()).toBe('Your storage is full. Delete what you no longer need.');
  featureStore.getState().setFeatures({ billing: true });
  expect(words()).toContain('choose a larger plan');
});

test.each([
  ['a message', {}, 'Failed to send message'],
  ['a voice message', { extras: { media: { messageType: 'voice', size: 1 } } }, 'Failed to send voice message'],
] as const)('the failure of %s states first that it was not sent, and then why', (_, sent, title) => {
  const reason = { code: 'internal_error', message: 'Something went wrong on our side.' };
  expect(describeSendFailure({ ...sent, reason } as Parameters<typeof describeSendFailure>[0], t)).toEqual({
    title,
    text: 'Something went wrong on our side.',
  });
  expect(describeSendFailure({ ...sent } as Parameters<typeof describeSendFailure>[0], t)).toEqual({
    title,
    text: undefined,
  });
});
