/* Last rows of the table, allocated once, because tens of thousands of words are compared during typing. */
const longest = 64;
const rows = [new Uint8Array(longest), new Uint8Array(longest), new Uint8Array(longest)] as const;
const at = (row: Uint8Array, column: number): number => row[column] ?? 0;

/** Returns the maximum typing errors for a word of this length. */
export function countAllowedErrors(length: number): number {
  if (length >= longest / 2) return 0;
  if (length >= 8) return 2;
  return length >= 4 ? 1 : 0;
}

/**
 * Returns the number of wrong, missing, extra, or swapped adjacent letters in `typed` (the optimal string alignment
 * distance), compared with `word` or its beginning. Returns Infinity if there are more than `maxErrors`.
 */
export function countTypingErrors(typed: string, word: string, maxErrors: number): number {
  const columns = Math.min(word.length, typed.length + maxErrors);
  if (columns < typed.length - maxErrors) return Infinity;
  let [before, last, current] = rows;
  for (let column = 0; column <= columns; column += 1) last[column] = column;
  for (let row = 1; row <= typed.length; row += 1) {
    const letter = typed.charCodeAt(row - 1);
    current[0] = row;
    let least = row;
    for (let column = 1; column <= columns; column += 1) {
      const other = word.charCodeAt(column - 1);
      let errors = Math.min(
        at(last, column - 1) + (letter === other ? 0 : 1),
        at(last, column) + 1,
        at(current, column - 1) + 1,
      );
      const exchanged =
        row > 1 && column > 1 && letter === word.charCodeAt(column - 2) && typed.charCodeAt(row - 2) === other;
      if (exchanged) errors = Math.min(errors, at(before, column - 2) + 1);
      current[column] = errors;
      if (errors < least) least = errors;
    }
    if (least > maxErrors) return Infinity;
    [before, last, current] = [last, current, before];
  }
  let errors = Infinity;
  for (let column = 0; column <= columns; column += 1) errors = Math.min(errors, at(last, column));
  return errors <= maxErrors ? errors : Infinity;
}
