/** Escapes %, _, and the escape character, so text matches itself in LIKE. */
function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, (character) => `\\${character}`);
}

export function prefixPattern(text: string): string {
  return `${escapeLike(text)}%`;
}

export function containsPattern(text: string): string {
  return `%${escapeLike(text)}%`;
}
