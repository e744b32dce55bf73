import en from '../../locales/en/refusals.json' with { type: 'json' };
import { registerTexts } from './texts.ts';

export const refusalsTexts = registerTexts('refusals', en);
