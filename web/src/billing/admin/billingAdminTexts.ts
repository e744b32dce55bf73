import en from '../../../locales/en/billingAdmin.json' with { type: 'json' };
import { registerTexts } from '../../i18n/texts.ts';

export const billingAdminTexts = registerTexts('billingAdmin', en);
