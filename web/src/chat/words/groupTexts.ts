import en from '../../../locales/en/group.json' with { type: 'json' };
import { registerTexts } from '../../i18n/texts.ts';

export const groupTexts = registerTexts('group', en);
