import en from '../../../locales/en/notes.json' with { type: 'json' };
import { registerTexts } from '../../i18n/texts.ts';

export const notesTexts = registerTexts('notes', en);
