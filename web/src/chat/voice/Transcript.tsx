import { useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import { classNames } from '../../ui/classNames.ts';
import { useMessageRowTexts } from '../words/messageRowTexts.ts';
import { clipCombiningMarks } from '../words/text/clipCombiningMarks.ts';

interface TranscriptProps {
  text: string;
  /** Time for the end of the last line. Null if it is shown elsewhere. */
  corner: ReactNode;
}

/** Transcript under a voice note: a few lines, expandable to all of it. */
export function Transcript({ text, corner }: TranscriptProps) {
  const { t } = useMessageRowTexts();
  const words = useRef<HTMLParagraphElement>(null);
  const [open, setOpen] = useState(false);
  const [longer, setLonger] = useState<boolean | null>(null);
  useLayoutEffect(() => {
    const element = words.current;
    // A clamped line has no end for the time, so the clamp is removed only if the text is complete.
    if (element && longer === null) setLonger(element.scrollHeight > element.clientHeight + 1);
  }, [longer]);
  return (
    <div className="mt-1 max-w-72 text-14">
      <p
        ref={words}
        data-searched
        dir="auto"
        role="note"
        aria-label={t('conversation:transcript')}
        className={classNames('text-start whitespace-normal text-muted', longer !== false && !open && 'line-clamp-4')}
      >
        {clipCombiningMarks(text)}
        {longer === false && corner}
      </p>
      {longer === true && (
        <div className="flex items-end justify-between gap-2">
          <button
            type="button"
            tabIndex={-1}
            aria-expanded={open}
            onClick={() => setOpen(!open)}
            className="-mx-1 rounded-control px-1 py-0.5 text-13 font-medium text-accent-text hover:underline"
          >
            {t(open ? 'conversation:showLess' : 'conversation:showAll')}
          </button>
          {corner}
        </div>
      )}
    </div>
  );
}
