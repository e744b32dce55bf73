/**
 * A program and its arguments, as they are typed: blanks part them, and quotes keep blanks together. Nothing else of a
 * shell is understood. Undefined where a quote is not closed.
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
