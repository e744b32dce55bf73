import { en } from '../../../web/src/i18n/en.ts';

/** What the app says, from its own catalogue. */
export { en };

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
