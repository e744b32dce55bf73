import { TextDecoder } from 'node:util';
import { isAppError } from '@nolo/kit/errors';
import { cutText } from '@nolo/rules';
import { Parser } from 'htmlparser2';

/** What a page says of itself, as it says it. */
export interface Head {
  title?: string;
  description?: string;
  siteName?: string;
  /** Relative to the page. */
  image?: string;
}

/** In the order in which they count. */
const names: Readonly<Record<keyof Head, readonly string[]>> = {
  title: ['og:title', 'twitter:title'],
  description: ['og:description', 'twitter:description', 'description'],
  siteName: ['og:site_name', 'application-name'],
  image: ['og:image:secure_url', 'og:image', 'og:image:url', 'twitter:image', 'twitter:image:src'],
};
const known: ReadonlySet<string> = new Set(Object.values(names).flat());

/** Whatever else is opened begins the body, whether the page says so or not. */
const headElements: ReadonlySet<string> = new Set([
  'html',
  'head',
  'title',
  'meta',
  'link',
  'base',
  'script',
  'style',
  'noscript',
  'template',
]);

/** Closing a tag looks through those that are open, so this bounds what a page of nothing but tags can cost. */
const mostTags = 1_000;
const mostCharacters = 4_096;
/** Where the HTML standard looks for what a page says of its own encoding. */
const declaredWithin = 1_024;

function decoderFor(label: string | undefined): TextDecoder | undefined {
  try {
    return label === undefined ? undefined : new TextDecoder(label);
  } catch {
    return undefined;
  }
}

/** A byte order mark goes before the server's word, that before the page's own, and UTF-8 is what is left. */
function decoderOf(start: Buffer, charset: string | undefined): TextDecoder {
  if (start[0] === 0xfe && start[1] === 0xff) return new TextDecoder('utf-16be');
  if (start[0] === 0xff && start[1] === 0xfe) return new TextDecoder('utf-16le');
  if (start[0] === 0xef && start[1] === 0xbb && start[2] === 0xbf) return new TextDecoder();
  const declared = /<meta[^>]{1,200}charset\s{0,9}=\s{0,9}["']?\s{0,9}([\w:.-]{1,40})/i.exec(
    start.toString('latin1', 0, declaredWithin),
  )?.[1];
  return decoderFor(charset) ?? decoderFor(declared) ?? new TextDecoder();
}

/** Reads tags as they come, until the head is over. */
function createHeadParser() {
  const found = new Map<string, string>();
  let title: string | undefined;
  let linked: string | undefined;
  let inTitle = false;
  let tags = 0;
  let over = false;

  const parser = new Parser({
    onopentag(name, attributes) {
      if (over) return;
      tags += 1;
      if (tags > mostTags || !headElements.has(name)) {
        over = true;
        return;
      }
      inTitle = name === 'title' && title === undefined;
      if (inTitle) title = '';
      if (name === 'meta') {
        const key = (attributes['property'] ?? attributes['name'] ?? '').trim().toLowerCase();
        const content = attributes['content'] && cutText(attributes['content'], mostCharacters);
        if (known.has(key) && content !== undefined && content.trim() !== '' && !found.has(key)) {
          found.set(key, content);
        }
      }
      if (name === 'link' && attributes['rel']?.toLowerCase() === 'image_src') linked ??= attributes['href'];
    },
    ontext(text) {
      if (!over && inTitle && title !== undefined && title.length < mostCharacters) title += text;
    },
    onclosetag(name) {
      if (name === 'title') inTitle = false;
      if (name === 'head') over = true;
    },
  });

  const first = (field: keyof Head) => names[field].map((name) => found.get(name)).find((value) => value !== undefined);
  return {
    write: (text: string) => parser.write(text),
    isOver: () => over,
    head(): Head {
      const all = {
        title: first('title') ?? title,
        description: first('description'),
        siteName: first('siteName'),
        image: first('image') ?? linked,
      };
      return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
    },
  };
}

/**
 * Reads a page until its head is over, and not a byte more than was on its way then. A head that is too large counts as
 * far as it was read.
 *
 * @throws link_too_large where that is nothing; what the body throws.
 */
export async function readHead(body: AsyncIterable<Buffer>, charset: string | undefined): Promise<Head> {
  const parser = createHeadParser();
  let start: Buffer | undefined = Buffer.alloc(0);
  let decoder: TextDecoder | undefined;
  const parse = (chunk: Buffer) => {
    decoder ??= decoderOf(chunk, charset);
    parser.write(decoder.decode(chunk, { stream: true }));
  };
  try {
    for await (const chunk of body) {
      if (start) {
        start = Buffer.concat([start, chunk]);
        if (start.length < declaredWithin) continue;
        parse(start);
        start = undefined;
      } else {
        parse(chunk);
      }
      if (parser.isOver()) break;
    }
    if (start) parse(start);
  } catch (error) {
    const tooLarge = isAppError(error) && error.code === 'link_too_large';
    if (!tooLarge || Object.keys(parser.head()).length === 0) throw error;
  }
  return parser.head();
}
