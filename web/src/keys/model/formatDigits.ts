/** Returns the digits in groups, for people who compare them aloud. */
export function groupDigits(digits: string, size: number): string[] {
  return digits.match(new RegExp(`.{1,${size}}`, 'gu')) ?? [];
}

/** Number of digits that two devices compare when one adds the other. */
export const linkDigits = 7;

/** Returns the digits of a link as shown: three and four of them. */
export const formatLinkDigits = (digits: string): string => `${digits.slice(0, 3)} ${digits.slice(3)}`;

/** Returns the digits in typed text. Digits of other scripts count too. */
export function readDigits(typed: string): string {
  return [...typed.normalize('NFKC')]
    .map((character) => {
      if (/^\d$/u.test(character)) return character;
      if (!/^\p{Nd}$/u.test(character)) return '';
      // Digits of a script follow each other, from zero.
      let zero = character.codePointAt(0) ?? 0;
      while (/^\p{Nd}$/u.test(String.fromCodePoint(zero - 1)) && (character.codePointAt(0) ?? 0) - zero < 9) zero -= 1;
      return String((character.codePointAt(0) ?? 0) - zero);
    })
    .join('');
}
