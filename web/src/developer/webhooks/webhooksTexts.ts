import en from '../../../locales/en/webhooks.json' with { type: 'json' };
import { registerTexts } from '../../i18n/texts.ts';

export const webhooksTexts = registerTexts('webhooks', en);
