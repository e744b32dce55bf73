/** Parses comma-separated values (RFC 4180) into rows keyed by the names in the first line. */
export function parseCsvRows(text: string): Record<string, string>[] {
  const [names = [], ...rows] = readLines(text).filter((cells) => cells.some((cell) => cell.trim() !== ''));
  return rows.map((cells) =>
    Object.fromEntries(names.map((name, index) => [name.trim(), (cells[index] ?? '').trim()])),
  );
}

function readLines(text: string): string[][] {
  const lines: string[][] = [[]];
  // A cell is quoted, with inner quotes doubled, or extends to the next comma or line end.
  for (const [, quoted, plain = '', end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^,\r\n]*))(,|\r?\n|$)/g)) {
    lines.at(-1)?.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === '') break;
    if (end !== ',') lines.push([]);
  }
  return lines;
}
