import { toSafeHref } from '@nolo/rules';
import { memo, type ReactNode } from 'react';
import { clipCombiningMarks } from './clipCombiningMarks.ts';
import { findRealHost } from './lookAlikes.ts';
import type { MentionedPerson } from './mentions.ts';
import { isPlainParagraph, parseMarkup, type Markup } from './parseMarkup.ts';
import { SafeLink } from './SafeLink.tsx';
import { linkClasses, RealHost, TextWithLinks } from './TextWithLinks.tsx';

/* Recently parsed texts, so that scrolling does not parse them again. */
const maxParsedTexts = 300;
const kept = new Map<string, readonly Markup[]>();

function parseCachedMarkup(text: string): readonly Markup[] {
  const known = kept.get(text);
  if (known) return known;
  const nodes = parseMarkup(text);
  kept.set(text, nodes);
  const [oldest] = kept.keys();
  if (kept.size > maxParsedTexts && oldest !== undefined) kept.delete(oldest);
  return nodes;
}

interface MarkupNodesProps {
  nodes: readonly Markup[];
  people: readonly MentionedPerson[];
  /** Content at the end of the last line. */
  end?: ReactNode;
}

interface TextProps {
  text: string;
  people: readonly MentionedPerson[];
  end?: ReactNode;
}

/** Renders a text with bold, italic, strikethrough, code, lists, quotes, and links. Everything else is plain text. */
export const MarkupText = memo(function MarkupText({ text, people, end }: TextProps) {
  const nodes = parseCachedMarkup(text);
  // Plain text keeps its spaces and empty lines.
  if (!isPlainParagraph(nodes)) return <MarkupNodes nodes={nodes} people={people} end={end} />;
  return (
    <>
      <TextWithLinks text={text} people={people} />
      {end}
    </>
  );
});

/** Blocks whose last line has room for `end`. Other blocks are followed by a separate line. */
const holdsEnd = (node: Markup | undefined): boolean =>
  node?.type === 'paragraph' || node?.type === 'item' || node?.type === 'list' || node?.type === 'quote';

function MarkupNodes({ nodes, people, end }: MarkupNodesProps) {
  const inLast = holdsEnd(nodes.at(-1));
  return (
    <>
      {nodes.map((node, index) => (
        // Parts of a text never change their order.
        <MarkupNode
          key={index}
          node={node}
          people={people}
          end={inLast && index === nodes.length - 1 ? end : undefined}
        />
      ))}
      {!inLast && end}
    </>
  );
}

function MarkupNode({ node, people, end }: { node: Markup } & Omit<MarkupNodesProps, 'nodes'>) {
  switch (node.type) {
    case 'text':
      return <TextWithLinks text={node.value} people={people} />;
    case 'code':
      return (
        <code className="rounded-[4px] bg-hover px-1 py-px font-mono text-[0.9em] [unicode-bidi:isolate]">
          {clipCombiningMarks(node.value)}
        </code>
      );
    case 'codeBlock':
      return (
        <pre
          dir="ltr"
          className="my-1 rounded-control bg-hover px-2.5 py-1.5 text-left font-mono text-13 wrap-anywhere whitespace-pre-wrap"
        >
          <code>{clipCombiningMarks(node.value)}</code>
        </pre>
      );
    case 'link':
      return <NamedLink url={node.url} nodes={node.children} people={people} />;
    case 'list': {
      const items = <MarkupNodes nodes={node.children} people={people} end={end} />;
      const classes = 'my-0.5 list-outside ps-6';
      return node.start === null ? (
        <ul className={`list-disc ${classes}`}>{items}</ul>
      ) : (
        <ol start={node.start} className={`list-decimal ${classes}`}>
          {items}
        </ol>
      );
    }
    case 'item':
      return (
        <li dir="auto">
          <MarkupNodes nodes={node.children} people={people} end={end} />
        </li>
      );
    case 'quote':
      return (
        <blockquote dir="auto" className="my-1 border-s-2 border-line-strong ps-2.5 text-muted">
          <MarkupNodes nodes={node.children} people={people} end={end} />
        </blockquote>
      );
    case 'paragraph':
      return (
        <p dir="auto" className="flow-root [&+&]:mt-2">
          <MarkupNodes nodes={node.children} people={people} end={end} />
        </p>
      );
    case 'strong':
      return (
        <strong className="font-semibold">
          <MarkupNodes nodes={node.children} people={people} />
        </strong>
      );
    case 'emphasis':
      return (
        <em>
          <MarkupNodes nodes={node.children} people={people} />
        </em>
      );
    case 'struck':
      return (
        <s>
          <MarkupNodes nodes={node.children} people={people} />
        </s>
      );
  }
}

function plainText(nodes: readonly Markup[]): string {
  return nodes.map((node) => ('value' in node ? node.value : plainText(node.children))).join('');
}

/** Returns true if a link's name looks like a URL. Readers would trust it, so the true URL appears beside it. */
const looksLikeAddress = (name: string): boolean => /\p{L}\.\p{L}{2,}|:\/\/|^www\./iu.test(name);

/** Renders a named link. A link that must not be followed shows its source text. */
function NamedLink({ url, nodes, people }: { url: string } & MarkupNodesProps) {
  const href = toSafeHref(url);
  const name = plainText(nodes);
  if (href === null || name.trim() === '') {
    return (
      <>
        <MarkupNodes nodes={nodes} people={people} /> ({clipCombiningMarks(url)})
      </>
    );
  }
  const { host } = new URL(href);
  const isHonest = findRealHost(name) === undefined && (!looksLikeAddress(name) || name === url || name === host);
  return (
    <>
      {/* Renders only the text of the name, because links cannot be nested. */}
      <SafeLink href={href} className={linkClasses}>
        {clipCombiningMarks(name)}
      </SafeLink>
      <RealHost host={isHonest ? undefined : host || href} />
    </>
  );
}
