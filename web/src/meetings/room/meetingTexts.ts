import en from '../../../locales/en/meeting.json' with { type: 'json' };
import { registerTexts } from '../../i18n/texts.ts';

export const meetingTexts = registerTexts('meeting', en);
