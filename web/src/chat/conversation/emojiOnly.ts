import { graphemesOf } from '@nolo/rules';
const pictograph = /\p{Emoji_Presentation}|\p{Emoji}\ufe0f|\p{Regional_Indicator}/u;
const most = 5;

/** How many emoji a message consists of, or 0 where there is anything else, or more than are worth showing large. */
export function emojiCount(text: string): number {
  const trimmed = text.replace(/\s+/gu, '');
  // The longest emoji are some dozen code units long, and none has a letter of ASCII; the rest need not be taken apart.
  if (trimmed === '' || trimmed.length > most * 16 || /[a-z]/i.test(trimmed)) return 0;
  let count = 0;
  for (const { segment } of graphemesOf(trimmed)) {
    if (!pictograph.test(segment)) return 0;
    count += 1;
  }
  return count <= most ? count : 0;
}
