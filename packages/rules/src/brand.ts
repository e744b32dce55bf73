/** What a branded room carries (Business): server and clients agree on what that may be. */
export const brandNameLength = 40;

/** Six digits and nothing else: a name or a function of CSS would be somebody else's to interpret. */
export const brandColor = /^#[0-9a-f]{6}$/i;

/** What would turn the words around it, or end the line. */
const unfit = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u;

export function isBrandName(name: string): boolean {
  const length = [...name.trim()].length;
  return length > 0 && length <= brandNameLength && !unfit.test(name);
}
