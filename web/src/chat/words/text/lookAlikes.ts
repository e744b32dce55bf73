/** Scripts with confusable letters. Other scripts mix with Latin in legitimate words. */
const scripts = [
  /\p{Script=Latin}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Armenian}/u,
  /\p{Script=Cherokee}/u,
];

/** Letters that most typefaces draw like a to z, or nearly (based on the confusables of Unicode's UTS 39). */
const drawnAsLatin = /^[аеорсухіјѕһԁԛԝьѵӏкптвнмгαονρτυικγχηωѡօսոհցɑɡıʟᴀ-ᴢ]+$/u;
const latinOnly = /[ɑɡıʟᴀ-ᴢ]/u;

/** Returns true if a word mixes look-alike letters of several scripts: "раypal", with two Cyrillic letters. */
const isLookAlikeWord = (word: string): boolean => scripts.filter((script) => script.test(word)).length > 1;

/** Checks a person's name, in which each word may have its own script. */
export const isLookAlikeName = (name: string): boolean => name.split(/[\s\-.'’]+/u).some(isLookAlikeWord);

/**
 * Returns the true host of a URL that imitates another host, in Punycode (RFC 3492), to be shown beside the link.
 * Returns undefined if the URL is what it seems.
 */
export function findRealHost(address: string): string | undefined {
  const written = /^(?:https?:\/\/)?([^/?#:]+)/iu.exec(address)?.[1]?.toLowerCase() ?? '';
  const labels = written.split('.');
  // A name in the script of its top-level domain is legitimate.
  const isAllOfOne = /[^\p{ASCII}]/u.test(labels.at(-1) ?? '');
  const poses = labels.some((label) => {
    if (isLookAlikeWord(label) || latinOnly.test(label)) return true;
    return !isAllOfOne && drawnAsLatin.test(label.replace(/[\d-]/gu, ''));
  });
  if (!poses) return undefined;
  const url = /^www\./iu.test(address) ? `https://${address}` : address;
  return URL.canParse(url) ? new URL(url).hostname : written;
}
