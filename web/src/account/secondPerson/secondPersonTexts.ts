import en from '../../../locales/en/secondPerson.json' with { type: 'json' };
import { registerTexts } from '../../i18n/texts.ts';

export const secondPersonTexts = registerTexts('secondPerson', en);
