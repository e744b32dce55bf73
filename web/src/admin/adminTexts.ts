import en from '../../locales/en/admin.json' with { type: 'json' };
import { registerTexts } from '../i18n/texts.ts';

export const adminTexts = registerTexts('admin', en);
