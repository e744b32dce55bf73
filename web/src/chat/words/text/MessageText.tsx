import type { ReactNode } from 'react';
import { lazy, memo, Suspense } from 'react';
import { mayHaveMarkup } from './markup.ts';
import type { Mentioned } from './mentions.ts';
import { withoutMarks } from './plainExcerpt.ts';
import { Words } from './Words.tsx';

/* Most messages are plain: what takes the others apart comes with the first of them. */
const MarkupText = lazy(async () => ({ default: (await import('./MarkupText.tsx')).MarkupText }));

export const nobody: readonly Mentioned[] = [];

export interface MessageTextProps {
  text: string;
  people?: readonly Mentioned[];
  /** Stands on the last line where there is room for it, for instance the time. */
  end?: ReactNode;
}

/** A message's words. */
export const MessageText = memo(function MessageText({ text, people = nobody, end }: MessageTextProps) {
  const plain = (words: string) => (
    <>
      <Words text={words} people={people} />
      {end}
    </>
  );
  if (!mayHaveMarkup(text)) return plain(text);
  return (
    // Meanwhile nobody reads the stars that make a word bold.
    <Suspense fallback={plain(withoutMarks(text))}>
      <MarkupText text={text} people={people} end={end} />
    </Suspense>
  );
});
