import { graphemesOf } from '@nolo/rules';
const pictograph = /\p{Emoji_Presentation}|\p{Emoji}\ufe0f|\p{Regional_Indicator}/u;
const maxEmoji = 5;

/**
 * Returns the number of emoji in a message. Returns 0 if the message has other content or too many emoji to show large.
 */
export function countIfEmojiOnly(text: string): number {
  const trimmed = text.replace(/\s+/gu, '');
  // The longest emoji have some dozen code units, and none contains an ASCII letter. Other texts need no segmentation.
  if (trimmed === '' || trimmed.length > maxEmoji * 16 || /[a-z]/i.test(trimmed)) return 0;
  let count = 0;
  for (const { segment } of graphemesOf(trimmed)) {
    if (!pictograph.test(segment)) return 0;
    count += 1;
  }
  return count <= maxEmoji ? count : 0;
}
