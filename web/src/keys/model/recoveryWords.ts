/** Number of recovery words. */
export const wordCount = 24;

/** Returns typed words in the form in which they are checked: lower case, with single spaces. Numbers are dropped. */
export function readWords(typed: string): string[] {
  return typed
    .normalize('NFKD')
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .filter((word) => word !== '');
}

/** Returns three different positions from 0, in order, at which the user repeats words. */
export function choosePositions(random: () => number = Math.random): [number, number, number] {
  const chosen = new Set<number>();
  while (chosen.size < 3) chosen.add(Math.floor(random() * wordCount));
  const [first = 0, second = 0, third = 0] = [...chosen].toSorted((a, b) => a - b);
  return [first, second, third];
}
