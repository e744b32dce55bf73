import en from '../../../locales/en/secondStep.json' with { type: 'json' };
import { registerTexts } from '../../i18n/texts.ts';

export const secondStepTexts = registerTexts('secondStep', en);
