import en from '../../../locales/en/rows.json' with { type: 'json' };
import { registerTexts } from '../../i18n/texts.ts';

export const rowsTexts = registerTexts('rows', en);
