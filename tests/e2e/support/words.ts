import { en as shared } from '../../../web/src/i18n/en.ts';
import { enCall } from '../../../web/src/i18n/enCall.ts';
import { enCalls } from '../../../web/src/i18n/enCalls.ts';
import { enMeeting } from '../../../web/src/i18n/enMeeting.ts';
import { enMeetings } from '../../../web/src/i18n/enMeetings.ts';
import { enProfile } from '../../../web/src/i18n/enProfile.ts';

/** What the app says, from its own catalogues; the profile's words come with its screen. */
export const en = { ...shared, profile: enProfile };
export { enCall, enCalls, enMeeting, enMeetings };

/** A sentence of the catalogue with its {{placeholders}} filled. */
export function words(sentence: string, values: Record<string, string | number> = {}): string {
  return sentence.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`"${sentence}" needs a value for ${name}.`);
    return String(value);
  });
}

/** A text as a pattern that finds it anywhere. */
export function containing(text: string): RegExp {
  return new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
}
