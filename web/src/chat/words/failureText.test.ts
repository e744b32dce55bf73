import { addWords, createI18n } from '../../i18n/i18n.ts';
import { enConversation } from './enConversation.ts';
import { featureStore } from '../../session/features.ts';
import { failureText } from './failureText.ts';

test('a larger plan is offered only where there are plans', () => {
  const i18n = createI18n();
  addWords(i18n, 'conversation', enConversation);
  const words = () => failureText({ code: 'storage_full_plan', message: '' }, i18n.t);
  featureStore.getState().setFeatures({ billing: false });
  expect(words()).toBe('Your storage is full. Delete what you no longer need.');
  featureStore.getState().setFeatures({ billing: true });
  expect(words()).toContain('choose a larger plan');
});
