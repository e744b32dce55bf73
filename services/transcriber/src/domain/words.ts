import { cutText, limits } from '@nolo/rules';

/** As many characters as a message has room for in any script. */
const mostCharacters = Math.floor(limits.messageContentBytes / 4);

/** The words as they go into a message: without control characters and line breaks, and no longer than one holds. */
export function tidyWords(text: string): string {
  const plain = text.replace(/[\u0000-\u001f\u007f-\u009f\s]+/g, ' ').trim();
  return cutText(plain, mostCharacters).trimEnd();
}
