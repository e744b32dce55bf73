const pictograph = /\p{Emoji_Presentation}|\p{Emoji}\ufe0f|\p{Regional_Indicator}/u;
const most = 5;
/* Making one costs more than all that it does for a message. */
let graphemes: Intl.Segmenter | undefined;

/** How many emoji a message consists of, or 0 where there is anything else, or more than are worth showing large. */
export function emojiCount(text: string): number {
  const trimmed = text.replace(/\s+/gu, '');
  // The longest emoji are some dozen code units long, and none has a letter of ASCII; the rest need not be taken apart.
  if (trimmed === '' || trimmed.length > most * 16 || /[a-z]/i.test(trimmed)) return 0;
  graphemes ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  let count = 0;
  for (const { segment } of graphemes.segment(trimmed)) {
    if (!pictograph.test(segment)) return 0;
    count += 1;
  }
  return count <= most ? count : 0;
}
