import type { Nodes, Root, RootContent, Text } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmStrikethroughFromMarkdown } from 'mdast-util-gfm-strikethrough';
import { gfmStrikethrough } from 'micromark-extension-gfm-strikethrough';
import { maskMarkupInUrlsAndWords, unmaskMarkup } from './maskMarkup.ts';

/** Parsed text, reduced to what is displayed. */
export type Markup =
  | { readonly type: 'text'; readonly value: string }
  | { readonly type: 'code'; readonly value: string }
  | { readonly type: 'codeBlock'; readonly value: string }
  | { readonly type: 'link'; readonly url: string; readonly children: readonly Markup[] }
  | { readonly type: 'list'; readonly start: number | null; readonly children: readonly Markup[] }
  | {
      readonly type: 'paragraph' | 'quote' | 'item' | 'strong' | 'emphasis' | 'struck';
      readonly children: readonly Markup[];
    };

/**
 * Syntax that messages do not use. HTML, images, and entities stay plain text. A backslash escapes a mark and stays
 * visible, because people mean what they type, as in `¯\_(ツ)_/¯`.
 */
const disabled = [
  'htmlFlow',
  'htmlText',
  'labelStartImage',
  'headingAtx',
  'setextUnderline',
  'thematicBreak',
  'definition',
  'codeIndented',
  'autolink',
  'characterReference',
  'hardBreakEscape',
];

/** Maximum nesting, deeper than people read. Anything below appears as text. */
const maxNesting = 12;

function textOf(node: Nodes): string {
  if ('value' in node) return unmaskMarkup(node.value);
  return 'children' in node ? node.children.map(textOf).join('') : '';
}

function children(nodes: readonly RootContent[], level: number, source: string): Markup[] {
  return nodes.map((node) => markupOf(node, level, source));
}

/**
 * Returns the text as typed, with its backslashes. Text over several lines omits the marks of the surrounding quote or
 * list.
 */
function typed({ value, position }: Text, source: string): string {
  if (value.includes('\n') || position?.start.offset === undefined) return unmaskMarkup(value);
  return source.slice(position.start.offset, position.end.offset);
}

function markupOf(node: RootContent, level: number, source: string): Markup {
  if (level > maxNesting) return { type: 'text', value: textOf(node) };
  switch (node.type) {
    case 'text':
      return { type: 'text', value: typed(node, source) };
    case 'break':
      return { type: 'text', value: '\n' };
    case 'inlineCode':
      return { type: 'code', value: unmaskMarkup(node.value) };
    case 'code':
      return { type: 'codeBlock', value: unmaskMarkup(node.value) };
    case 'link':
      return { type: 'link', url: unmaskMarkup(node.url), children: children(node.children, level + 1, source) };
    case 'list':
      return {
        type: 'list',
        start: node.ordered ? (node.start ?? 1) : null,
        children: children(node.children, level + 1, source),
      };
    case 'listItem':
      return { type: 'item', children: children(node.children, level + 1, source) };
    case 'paragraph':
      return { type: 'paragraph', children: children(node.children, level + 1, source) };
    case 'blockquote':
      return { type: 'quote', children: children(node.children, level + 1, source) };
    case 'strong':
      return { type: 'strong', children: children(node.children, level + 1, source) };
    case 'emphasis': {
      // A single star is bold, as in other messengers. An underscore is italic.
      const starred = source[node.position?.start.offset ?? -1] === '*';
      return { type: starred ? 'strong' : 'emphasis', children: children(node.children, level + 1, source) };
    }
    case 'delete':
      return { type: 'struck', children: children(node.children, level + 1, source) };
    default:
      return { type: 'text', value: textOf(node) };
  }
}

/** Parses a text for which `isMarkupCandidate` is true. */
export function parseMarkup(text: string): readonly Markup[] {
  const root: Root = fromMarkdown(maskMarkupInUrlsAndWords(text), {
    extensions: [{ disable: { null: disabled } }, gfmStrikethrough({ singleTilde: true })],
    mdastExtensions: [gfmStrikethroughFromMarkdown()],
  });
  return children(root.children, 0, text);
}

/** Returns true if the result is plain text in paragraphs, which looks as written. */
export function isPlainParagraph(markup: readonly Markup[]): boolean {
  return markup.every((block) => block.type === 'paragraph' && block.children.every(({ type }) => type === 'text'));
}
