import en from '../../../locales/en/sealedRows.json' with { type: 'json' };
import { registerTexts } from '../../i18n/texts.ts';

export const sealedRowsTexts = registerTexts('sealedRows', en);
