/** Escapes %, _, and the escape character, so text matches itself in LIKE. */
function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, (character) => `\\${character}`);
}

export function toPrefixLikePattern(text: string): string {
  return `${escapeLike(text)}%`;
}

export function toContainsLikePattern(text: string): string {
  return `%${escapeLike(text)}%`;
}
