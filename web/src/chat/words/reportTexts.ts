import en from '../../../locales/en/report.json' with { type: 'json' };
import { registerTexts } from '../../i18n/texts.ts';

export const reportTexts = registerTexts('report', en);
