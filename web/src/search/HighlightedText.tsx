import type { HighlightRange } from '../chat/words/text/needles.ts';

export function HighlightedText({ text, highlights }: { text: string; highlights: readonly HighlightRange[] }) {
  return (
    <>
      {highlights.map(([start, end], index) => (
        <span key={start}>
          {text.slice(highlights[index - 1]?.[1] ?? 0, start)}
          <mark className="rounded-[3px] bg-accent-subtle font-semibold text-accent-text">
            {text.slice(start, end)}
          </mark>
        </span>
      ))}
      {text.slice(highlights.at(-1)?.[1] ?? 0)}
    </>
  );
}
