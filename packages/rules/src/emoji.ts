/**
 * Returns an emoji in its fully qualified form (Unicode Technical Standard 51): with the variation selector that asks
 * for a picture behind each character that would otherwise be drawn as text. ❤ and ❤️ are one emoji, and keyboards send
 * either.
 */
export function toFullyQualifiedEmoji(emoji: string): string {
  return emoji
    .replace(/[\ufe0e\ufe0f]/gu, '')
    .replace(/(?!\p{Emoji_Presentation})\p{Emoji}(?!\p{Emoji_Modifier})/gu, '$&\ufe0f');
}
