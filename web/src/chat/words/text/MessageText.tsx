import type { ReactNode } from 'react';
import { memo, Suspense } from 'react';
import { mayHaveMarkup } from './markup.ts';
import type { Mentioned } from './mentions.ts';
import { withoutMarks } from './plainExcerpt.ts';
import { Words } from './Words.tsx';
import { optional } from '../../../ui/parts.tsx';

/* Most messages are plain: what takes the others apart comes with the first of them. */
const MarkupText = optional(async () => (await import('./MarkupText.tsx')).MarkupText, WithoutMarks);

export const nobody: readonly Mentioned[] = [];

export interface MessageTextProps {
  text: string;
  people?: readonly Mentioned[];
  /** Stands on the last line where there is room for it, for instance the time. */
  end?: ReactNode;
}

function Plain({ text, people = nobody, end }: MessageTextProps) {
  return (
    <>
      <Words text={text} people={people} />
      {end}
    </>
  );
}

/** Meanwhile nobody reads the stars that make a word bold. */
function WithoutMarks(props: MessageTextProps) {
  return <Plain {...props} text={withoutMarks(props.text)} />;
}

/** A message's words. */
export const MessageText = memo(function MessageText({ text, people = nobody, end }: MessageTextProps) {
  const props = { text, people, end };
  if (!mayHaveMarkup(text)) return <Plain {...props} />;
  return (
    <Suspense fallback={<WithoutMarks {...props} />}>
      <MarkupText {...props} />
    </Suspense>
  );
});
