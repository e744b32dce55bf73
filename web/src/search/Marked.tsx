import type { Mark } from '../chat/words/text/needles.ts';

/** Shows a text with its matches highlighted. */
export function Marked({ text, marks }: { text: string; marks: readonly Mark[] }) {
  return (
    <>
      {marks.map(([start, end], index) => (
        <span key={start}>
          {text.slice(marks[index - 1]?.[1] ?? 0, start)}
          <mark className="rounded-[3px] bg-accent-subtle font-semibold text-accent-text">
            {text.slice(start, end)}
          </mark>
        </span>
      ))}
      {text.slice(marks.at(-1)?.[1] ?? 0)}
    </>
  );
}
