import en from '../../../locales/en/chatExport.json' with { type: 'json' };
import { registerTexts } from '../../i18n/texts.ts';

export const chatExportTexts = registerTexts('chatExport', en);
