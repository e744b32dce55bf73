import en from '../../locales/en/billing.json' with { type: 'json' };
import { registerTexts } from '../i18n/texts.ts';

export const billingTexts = registerTexts('billing', en);
