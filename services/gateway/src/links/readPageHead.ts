import { TextDecoder } from 'node:util';
import { isAppError } from '@nolo/kit/errors';
import { cutText } from '@nolo/rules';
import { Parser } from 'htmlparser2';

/** Metadata of a page, unmodified. */
export interface PageHead {
  title?: string;
  description?: string;
  siteName?: string;
  /** Address, possibly relative to the page. */
  image?: string;
}

/** Meta names of each field, in order of precedence. */
const names: Readonly<Record<keyof PageHead, readonly string[]>> = {
  title: ['og:title', 'twitter:title'],
  description: ['og:description', 'twitter:description', 'description'],
  siteName: ['og:site_name', 'application-name'],
  image: ['og:image:secure_url', 'og:image', 'og:image:url', 'twitter:image', 'twitter:image:src'],
};
const known: ReadonlySet<string> = new Set(Object.values(names).flat());

/** Elements of the head. Any other element starts the body, even implicitly. */
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

/** Maximum open tags. Closing a tag searches all open tags, so this bounds the cost of a page full of tags. */
const maxTags = 1_000;
const maxTextLength = 4_096;

function decoderFor(label: string | undefined): TextDecoder | undefined {
  try {
    return label === undefined ? undefined : new TextDecoder(label);
  } catch {
    return undefined;
  }
}

const bomBytes = 3;

/** Returns the decoder of the byte order mark, or else of the server's charset. */
function certainDecoder(start: Buffer, charset: string | undefined): TextDecoder | undefined {
  if (start[0] === 0xfe && start[1] === 0xff) return new TextDecoder('utf-16be');
  if (start[0] === 0xff && start[1] === 0xfe) return new TextDecoder('utf-16le');
  if (start[0] === 0xef && start[1] === 0xbb && start[2] === 0xbf) return new TextDecoder();
  return decoderFor(charset);
}

/**
 * Returns the decoder of the encoding that a page declares. Reading the declaration as single bytes rules out the two
 * encodings that HTML excludes.
 */
function declaredDecoder(label: string): TextDecoder | undefined {
  const decoder = decoderFor(label.trim() === 'x-user-defined' ? 'windows-1252' : label);
  return decoder?.encoding.startsWith('utf-16') ? new TextDecoder() : decoder;
}

/** Returns the encoding that a `meta` tag declares. */
function charsetOf(attributes: Readonly<Record<string, string>>): string | undefined {
  const { charset, content = '' } = attributes;
  if (charset !== undefined) return charset;
  if (attributes['http-equiv']?.trim().toLowerCase() !== 'content-type') return undefined;
  return /charset\s{0,9}=\s{0,9}["']?\s{0,9}([^\s"';]{1,40})/iu.exec(content)?.[1];
}

/** Parses tags as they arrive until the head ends. */
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
      if (tags > maxTags || !headElements.has(name)) {
        over = true;
        return;
      }
      inTitle = name === 'title' && title === undefined;
      if (inTitle) title = '';
      if (name === 'meta') {
        declared ??= declaredDecoder(charsetOf(attributes) ?? '');
        const key = (attributes['property'] ?? attributes['name'] ?? '').trim().toLowerCase();
        const content = attributes['content'] && cutText(attributes['content'], maxTextLength);
        if (known.has(key) && content !== undefined && content.trim() !== '' && !found.has(key)) {
          found.set(key, content);
        }
      }
      if (name === 'link' && attributes['rel']?.toLowerCase() === 'image_src') linked ??= attributes['href'];
    },
    ontext(text) {
      if (over || !inTitle || title === undefined) return;
      title += cutText(text, maxTextLength - title.length);
    },
    onclosetag(name) {
      if (name === 'title') inTitle = false;
      if (name === 'head') over = true;
    },
  });

  const first = (field: keyof PageHead) =>
    names[field].map((name) => found.get(name)).find((value) => value !== undefined);
  return {
    write: (text: string) => parser.write(text),
    isOver: () => over,
    /** First encoding that the page declares. */
    declared: () => declared,
    head(): PageHead {
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
 * Reads a page of unknown encoding: as single-byte characters until the page declares its encoding, then again from the
 * start. Browsers do the same, wherever in the head the declaration is.
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
    /** Returns the metadata found. Uses UTF-8 if the page never declares its encoding. */
    head(): PageHead {
      if (!isCertain) restart(certainDecoder(Buffer.concat(read), charset) ?? new TextDecoder());
      return parser.head();
    },
  };
}

/**
 * Reads a page until its head ends, and stops with the chunk that contains the end. Uses what was read of a head that
 * is too large.
 *
 * @throws link_too_large if nothing of such a head was found; errors of the body.
 */
export async function readPageHead(body: AsyncIterable<Buffer>, charset: string | undefined): Promise<PageHead> {
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
