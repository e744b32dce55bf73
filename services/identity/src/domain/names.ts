import { isBlank } from '@nolo/rules';

/**
 * Control characters and line separators break layouts; embedding, override and isolate characters
 * (Unicode Annex 9) turn the text around them, so that one name can be made to look like another. Joiners
 * and single direction marks stay, because scripts and emoji need them.
 */
const refused = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\ufff9-\ufffb]/u;
const refusedEverywhere = new RegExp(refused.source, 'gu');

export interface TextRule {
  min: number;
  /** In characters as people count them, nearly: code points. */
  max: number;
}

/** Trims and normalises a name or a line of text; undefined where the rule or the characters refuse it. */
export function cleanText(input: string, rule: TextRule): string | undefined {
  const text = input.normalize('NFC').trim();
  if (refused.test(text)) return undefined;
  if (isBlank(text)) return rule.min === 0 ? '' : undefined;
  const length = [...text].length;
  return length >= rule.min && length <= rule.max ? text : undefined;
}

/** The same for text that nobody can be asked to correct (a provider's claim, a User-Agent): cut to fit. */
export function cutText(input: string, max: number): string {
  const text = input.replace(refusedEverywhere, ' ').normalize('NFC').trim();
  return isBlank(text) ? '' : [...text].slice(0, max).join('').trim();
}
