import { hrefOf } from '@nolo/rules';
import type { ReactNode } from 'react';
import { memo } from 'react';
import { clipMarks } from './clipMarks.ts';
import { trueHost } from './lookAlikes.ts';
import type { Mentioned } from './mentions.ts';
import type { Markup } from './parseMarkup.ts';
import { isPlain, parseMarkup } from './parseMarkup.ts';
import { SafeLink } from './SafeLink.tsx';
import { linkClasses, TrueHost, Words } from './Words.tsx';

/* Recently parsed texts, so that scrolling does not parse them again. */
const mostKept = 300;
const kept = new Map<string, readonly Markup[]>();

function partsOf(text: string): readonly Markup[] {
  const known = kept.get(text);
  if (known) return known;
  const parts = parseMarkup(text);
  kept.set(text, parts);
  const [oldest] = kept.keys();
  if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest);
  return parts;
}

interface PartsProps {
  parts: readonly Markup[];
  people: readonly Mentioned[];
  /** Content at the end of the last line. */
  end?: ReactNode;
}

interface TextProps {
  text: string;
  people: readonly Mentioned[];
  end?: ReactNode;
}

/** Renders a text with bold, italic, strikethrough, code, lists, quotes, and links. Everything else is plain text. */
export const MarkupText = memo(function MarkupText({ text, people, end }: TextProps) {
  const parts = partsOf(text);
  // Plain text keeps its spaces and empty lines.
  if (!isPlain(parts)) return <Parts parts={parts} people={people} end={end} />;
  return (
    <>
      <Words text={text} people={people} />
      {end}
    </>
  );
});

/** Blocks whose last line has room for `end`. Other blocks are followed by a separate line. */
const holdsEnd = (part: Markup | undefined): boolean =>
  part?.type === 'paragraph' || part?.type === 'item' || part?.type === 'list' || part?.type === 'quote';

function Parts({ parts, people, end }: PartsProps) {
  const inLast = holdsEnd(parts.at(-1));
  return (
    <>
      {parts.map((part, index) => (
        // Parts of a text never change their order.
        <Part key={index} part={part} people={people} end={inLast && index === parts.length - 1 ? end : undefined} />
      ))}
      {!inLast && end}
    </>
  );
}

function Part({ part, people, end }: { part: Markup } & Omit<PartsProps, 'parts'>) {
  switch (part.type) {
    case 'text':
      return <Words text={part.value} people={people} />;
    case 'code':
      return (
        <code className="rounded-[4px] bg-hover px-1 py-px font-mono text-[0.9em] [unicode-bidi:isolate]">
          {clipMarks(part.value)}
        </code>
      );
    case 'codeBlock':
      return (
        <pre
          dir="ltr"
          className="my-1 rounded-control bg-hover px-2.5 py-1.5 text-left font-mono text-13 wrap-anywhere whitespace-pre-wrap"
        >
          <code>{clipMarks(part.value)}</code>
        </pre>
      );
    case 'link':
      return <NamedLink url={part.url} parts={part.children} people={people} />;
    case 'list': {
      const items = <Parts parts={part.children} people={people} end={end} />;
      const classes = 'my-0.5 list-outside ps-6';
      return part.start === null ? (
        <ul className={`list-disc ${classes}`}>{items}</ul>
      ) : (
        <ol start={part.start} className={`list-decimal ${classes}`}>
          {items}
        </ol>
      );
    }
    case 'item':
      return (
        <li dir="auto">
          <Parts parts={part.children} people={people} end={end} />
        </li>
      );
    case 'quote':
      return (
        <blockquote dir="auto" className="my-1 border-s-2 border-line-strong ps-2.5 text-muted">
          <Parts parts={part.children} people={people} end={end} />
        </blockquote>
      );
    case 'paragraph':
      return (
        <p dir="auto" className="flow-root [&+&]:mt-2">
          <Parts parts={part.children} people={people} end={end} />
        </p>
      );
    case 'strong':
      return (
        <strong className="font-semibold">
          <Parts parts={part.children} people={people} />
        </strong>
      );
    case 'emphasis':
      return (
        <em>
          <Parts parts={part.children} people={people} />
        </em>
      );
    case 'struck':
      return (
        <s>
          <Parts parts={part.children} people={people} />
        </s>
      );
  }
}

function plainText(parts: readonly Markup[]): string {
  return parts.map((part) => ('value' in part ? part.value : plainText(part.children))).join('');
}

/** Returns true if a link's name looks like a URL. Readers would trust it, so the true URL appears beside it. */
function looksLikeAddress(name: string): boolean {
  return /\p{L}\.\p{L}{2,}|:\/\/|^www\./iu.test(name);
}

/** Renders a named link. A link that must not be followed shows its source text. */
function NamedLink({ url, parts, people }: { url: string } & PartsProps) {
  const href = hrefOf(url);
  const name = plainText(parts);
  if (href === null || name.trim() === '') {
    return (
      <>
        <Parts parts={parts} people={people} /> ({clipMarks(url)})
      </>
    );
  }
  const { host } = new URL(href);
  const isHonest = trueHost(name) === undefined && (!looksLikeAddress(name) || name === url || name === host);
  return (
    <>
      {/* Renders only the text of the name, because links cannot be nested. */}
      <SafeLink href={href} className={linkClasses}>
        {clipMarks(name)}
      </SafeLink>
      <TrueHost host={isHonest ? undefined : host || href} />
    </>
  );
}
