/** Letters of these scripts are taken for each other's; others stand together with Latin in honest words. */
const scripts = [
  /\p{Script=Latin}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Armenian}/u,
  /\p{Script=Cherokee}/u,
];

/** Letters that most typefaces draw as one of a to z, or nearly (after the confusables of Unicode's UTS 39). */
const drawnAsLatin = /^[аеорсухіјѕһԁԛԝьѵӏкптвнмгαονρτυικγχηωѡօսոհցɑɡıʟᴀ-ᴢ]+$/u;
const latinOnly = /[ɑɡıʟᴀ-ᴢ]/u;

/** Whether a word is written with letters that only look like those it seems to be made of: "раypal", with two of Cyrillic. */
export function looksLikeAnother(word: string): boolean {
  return scripts.filter((script) => script.test(word)).length > 1;
}

/** The same of a person's name, in which each word may have a script of its own. */
export function nameLooksLikeAnother(name: string): boolean {
  return name.split(/[\s\-.'’]+/u).some(looksLikeAnother);
}

/**
 * The host that an address really has, where what stands there reads as another one: then it goes beside the link, in
 * the spelling of domain names (RFC 3492). Undefined where the address is what it seems.
 */
export function trueHost(address: string): string | undefined {
  const written = /^(?:https?:\/\/)?([^/?#:]+)/iu.exec(address)?.[1]?.toLowerCase() ?? '';
  const labels = written.split('.');
  // A name of one script below an ending of the same is how people of that script write theirs.
  const isAllOfOne = /[^\p{ASCII}]/u.test(labels.at(-1) ?? '');
  const poses = labels.some((label) => {
    if (looksLikeAnother(label) || latinOnly.test(label)) return true;
    return !isAllOfOne && drawnAsLatin.test(label.replace(/[\d-]/gu, ''));
  });
  if (!poses) return undefined;
  const url = /^www\./iu.test(address) ? `https://${address}` : address;
  return URL.canParse(url) ? new URL(url).hostname : written;
}
