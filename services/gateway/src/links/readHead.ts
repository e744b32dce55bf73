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

function decoderFor(label: string | undefined): TextDecoder | undefined {
  try {
    return label === undefined ? undefined : new TextDecoder(label);
  } catch {
    return undefined;
  }
}

const bomBytes = 3;

/** The encoding that a byte order mark names, or else the server. */
function certainDecoder(start: Buffer, charset: string | undefined): TextDecoder | undefined {
  if (start[0] === 0xfe && start[1] === 0xff) return new TextDecoder('utf-16be');
  if (start[0] === 0xff && start[1] === 0xfe) return new TextDecoder('utf-16le');
  if (start[0] === 0xef && start[1] === 0xbb && start[2] === 0xbf) return new TextDecoder();
  return decoderFor(charset);
}

/** The encoding that a page names in itself. Its bytes were read to find that, so it is none of the two that HTML excludes. */
function declaredDecoder(label: string): TextDecoder | undefined {
  const decoder = decoderFor(label.trim() === 'x-user-defined' ? 'windows-1252' : label);
  return decoder?.encoding.startsWith('utf-16') ? new TextDecoder() : decoder;
}

/** The encoding that a tag `meta` names. */
function charsetOf(attributes: Readonly<Record<string, string>>): string | undefined {
  const { charset, content = '' } = attributes;
  if (charset !== undefined) return charset;
  if (attributes['http-equiv']?.trim().toLowerCase() !== 'content-type') return undefined;
  return /charset\s{0,9}=\s{0,9}["']?\s{0,9}([^\s"';]{1,40})/iu.exec(content)?.[1];
}

/** Reads tags as they come, until the head is over. */
function createHeadParser() {
  const found = new Map<string, string>();
  let title: string | undefined;
  let linked: string | undefined;
  let inTitle = false;
  let tags = 0;
  let over = false;
  let declared: TextDecoder | undefined;

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
        declared ??= declaredDecoder(charsetOf(attributes) ?? '');
        const key = (attributes['property'] ?? attributes['name'] ?? '').trim().toLowerCase();
        const content = attributes['content'] && cutText(attributes['content'], mostCharacters);
        if (known.has(key) && content !== undefined && content.trim() !== '' && !found.has(key)) {
          found.set(key, content);
        }
      }
      if (name === 'link' && attributes['rel']?.toLowerCase() === 'image_src') linked ??= attributes['href'];
    },
    ontext(text) {
      if (over || !inTitle || title === undefined) return;
      title += cutText(text, mostCharacters - title.length);
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
    /** The first encoding that the page names in itself. */
    declared: () => declared,
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
 * Reads a page whose encoding nobody has named yet: as one byte for each character until the page names it, and then once
 * more from its beginning. Browsers do the same, wherever in the head that is.
 */
function createReader(charset: string | undefined) {
  let parser = createHeadParser();
  let decoder: TextDecoder | undefined;
  let isCertain = false;
  let read: Buffer[] = [];

  const restart = (next: TextDecoder): void => {
    parser = createHeadParser();
    decoder = next;
    isCertain = true;
    parser.write(decoder.decode(Buffer.concat(read), { stream: true }));
    read = [];
  };
  return {
    write(chunk: Buffer): void {
      if (isCertain) {
        parser.write(decoder?.decode(chunk, { stream: true }) ?? '');
        return;
      }
      read.push(chunk);
      if (decoder === undefined) {
        const start = Buffer.concat(read);
        if (start.length < bomBytes) return;
        const certain = certainDecoder(start, charset);
        if (certain) return restart(certain);
        decoder = new TextDecoder('latin1');
        parser.write(decoder.decode(start, { stream: true }));
      } else {
        parser.write(decoder.decode(chunk, { stream: true }));
      }
      const declared = parser.declared();
      if (declared) restart(declared);
    },
    isOver: () => parser.isOver(),
    /** What was found; in UTF-8 where the page never named its encoding. */
    head(): Head {
      if (!isCertain) restart(certainDecoder(Buffer.concat(read), charset) ?? new TextDecoder());
      return parser.head();
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
  const reader = createReader(charset);
  try {
    for await (const chunk of body) {
      reader.write(chunk);
      if (reader.isOver()) break;
    }
  } catch (error) {
    const tooLarge = isAppError(error) && error.code === 'link_too_large';
    if (!tooLarge || Object.keys(reader.head()).length === 0) throw error;
  }
  return reader.head();
}
