import en from '../../../locales/en/openExport.json' with { type: 'json' };
import { registerTexts } from '../../i18n/texts.ts';

export const openExportTexts = registerTexts('openExport', en);
