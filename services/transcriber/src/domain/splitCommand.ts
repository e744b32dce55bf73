/**
 * Splits a command line at blanks. Quotes keep blanks together; no other shell syntax is supported. Undefined if a
 * quote is not closed.
 */
export function splitCommand(line: string): string[] | undefined {
  const words: string[] = [];
  const rest = line.replace(/\s*((?:"[^"]*"|'[^']*'|[^\s"'])+)/gy, (_, word: string) => {
    words.push(
      word.replace(/"([^"]*)"|'([^']*)'/g, (_quoted, double?: string, single?: string) => double ?? single ?? ''),
    );
    return '';
  });
  return rest.trim() === '' ? words : undefined;
}
