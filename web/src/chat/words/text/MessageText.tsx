import type { ReactNode } from 'react';
import { memo, Suspense } from 'react';
import { mayHaveMarkup } from './markup.ts';
import type { Mentioned } from './mentions.ts';
import { withoutMarks } from './plainExcerpt.ts';
import { Words } from './Words.tsx';
import { optional } from '../../../ui/parts.tsx';

/* Most messages are plain, so the parser loads with the first that is not. */
const MarkupText = optional(async () => (await import('./MarkupText.tsx')).MarkupText, WithoutMarks);

export const nobody: readonly Mentioned[] = [];

export interface MessageTextProps {
  text: string;
  people?: readonly Mentioned[];
  /** Content at the end of the last line if it fits, for example the time. */
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

/** Hides markup characters while the parser loads. */
function WithoutMarks(props: MessageTextProps) {
  return <Plain {...props} text={withoutMarks(props.text)} />;
}

/** Renders the text of a message. */
export const MessageText = memo(function MessageText({ text, people = nobody, end }: MessageTextProps) {
  const props = { text, people, end };
  if (!mayHaveMarkup(text)) return <Plain {...props} />;
  return (
    <Suspense fallback={<WithoutMarks {...props} />}>
      <MarkupText {...props} />
    </Suspense>
  );
});
