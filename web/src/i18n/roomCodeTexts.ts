import en from '../../locales/en/roomCode.json' with { type: 'json' };
import { registerTexts } from './texts.ts';

export const roomCodeTexts = registerTexts('roomCode', en);
